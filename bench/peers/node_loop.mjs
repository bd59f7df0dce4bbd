// The strongest thing a user can write in an afternoon: batches of 500 from the table, 64 calls in flight, 500 outcomes a
// transaction. No retry, no intent, no cursor: it only has to be fast.
//
// --database sqlite:PATH or postgresql:CONNINFO, where --records-file is loaded into a table before the clock starts.
// Settings best: undici's dispatch over connections of its own; default: undici's pool and request().

import Sqlite from 'better-sqlite3';
import pg from 'pg';
import {
  ledger_schema_postgresql,
  meter,
  open_sink,
  postgresql_settings,
  read_options,
  read_records,
  write_ledger,
} from './common.mjs';

const in_flight = 64;
const batch_size = 500;

async function open_sqlite(path, records) {
  const database = new Sqlite(path);
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = FULL');
  database.exec(`
    drop table if exists records;
    drop table if exists ledger;
    create table records(source_id text primary key, body text not null) without rowid;
    create table ledger(
      rule_id bigint not null, source_id text not null, remote_id text not null, version bigint not null,
      status text not null, primary key (rule_id, source_id)) without rowid`);
  const load = database.prepare('insert into records values (?, ?)');
  for await (const piece of records) {
    database.transaction(() => piece.forEach((record) => load.run(record.id, record.body)))();
  }
  database.pragma('wal_checkpoint(TRUNCATE)');

  const select = database.prepare('select source_id as id, body from records where source_id > ? order by source_id limit ?');
  const insert = database.prepare(`insert into ledger values (1, ?, ?, 1, 'delivered')`);
  const insert_all = database.transaction((rows) => {
    for (const row of rows) insert.run(row.id, row.remote_id);
  });
  return {
    name: 'sqlite',
    read: async (after) => select.all(after, batch_size),
    write: async (rows) => insert_all.immediate(rows),
    close: async () => database.close(),
  };
}

async function open_postgresql(conninfo, records) {
  const reader = new pg.Client(postgresql_settings(conninfo));
  const writer = new pg.Client(postgresql_settings(conninfo));
  await Promise.all([reader.connect(), writer.connect()]);
  await writer.query(`
    drop table if exists records;
    create table records(source_id text collate "C" primary key, body text not null);
    ${ledger_schema_postgresql}`);
  for await (const piece of records) {
    await writer.query('insert into records select * from unnest($1::text[], $2::text[])', [
      piece.map((record) => record.id),
      piece.map((record) => record.body),
    ]);
  }
  await writer.query('analyze records');
  return {
    name: 'postgresql',
    async read(after) {
      const text = 'select source_id as id, body from records where source_id > $1 order by source_id limit $2';
      return (await reader.query({ name: 'read', text, values: [after, batch_size] })).rows;
    },
    write: (rows) => write_ledger(writer, rows),
    close: () => Promise.all([reader.end(), writer.end()]),
  };
}

async function deliver(store, sink, meter) {
  let batch = await store.read('');
  let position = 0;
  let following = null;
  let outcomes = [];
  let written = Promise.resolve();

  const read_on = () => (following ??= batch.length > 0 ? store.read(batch.at(-1).id) : Promise.resolve([]));
  const write_outcomes = () => {
    const rows = outcomes;
    outcomes = [];
    written = written.then(() => store.write(rows)).then(() => meter.outcomes_durable(rows.length));
  };
  const next_record = async () => {
    while (position === batch.length && batch.length > 0) {
      const read = await read_on();
      if (position === batch.length) {
        batch = read;
        position = 0;
        following = null;
      }
    }
    if (position === 0) read_on();
    return batch[position++];
  };
  const worker = async () => {
    for (let record = await next_record(); record; record = await next_record()) {
      const remote_id = await sink.post(record.body);
      outcomes.push({ id: record.id, remote_id });
      if (outcomes.length === batch_size) write_outcomes();
    }
  };
  await Promise.all(Array.from({ length: in_flight }, worker));
  if (outcomes.length > 0) write_outcomes();
  await written;
}

const options = read_options();
const clock = new meter(options);
const colon = options.database.indexOf(':');
const place = options.database.slice(colon + 1);
const open = options.database.startsWith('sqlite:') ? open_sqlite : open_postgresql;
const store = await open(place, read_records(options));
const sink = open_sink(options, in_flight, clock);
await deliver(store, sink, clock);
clock.report('node_loop', store.name, {
  in_flight,
  batch: batch_size,
  rows_a_transaction: batch_size,
  http: options.best ? 'undici dispatch, 64 clients' : 'undici pool, request()',
});
await sink.close();
await store.close();
