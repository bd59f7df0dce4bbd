// pg-boss on PostgreSQL: one job a record, one ledger row a job.
//
// Best: several fetchers of large batches share 64 calls, a batch's ledger rows and completions are one statement each.
// Default: work() as the documentation begins with it.

import pg from 'pg';
import PgBoss from 'pg-boss';
import {
  ledger_schema_postgresql,
  limit_calls,
  meter,
  open_sink,
  postgresql_settings,
  read_options,
  read_records,
  write_ledger,
} from './common.mjs';

const in_flight = 64;
const fetchers = 3;
const batch_size = 5_000;
const queue = 'deliver';

const options = read_options();
const clock = new meter(options);
const settings = postgresql_settings(options.database);
const pool = new pg.Pool({ ...settings, max: 4 });

async function load() {
  await pool.query('drop schema if exists pgboss cascade');
  await pool.query(ledger_schema_postgresql);
  await boss.start();
  await boss.createQueue(queue);
  for await (const piece of read_records(options)) {
    await boss.insert(piece.map((record) => ({ name: queue, data: record })));
  }
  await pool.query('vacuum analyze pgboss.job');
}

async function fetch_and_deliver() {
  for (;;) {
    const jobs = await boss.fetch(queue, { batchSize: batch_size, priority: false });
    if (jobs.length === 0) return;
    const rows = await Promise.all(
      jobs.map(async (job) => ({ id: job.data.id, remote_id: await post(job.data.body) })),
    );
    await write_ledger(pool, rows);
    clock.outcomes_durable(rows.length);
    await boss.complete(queue, jobs.map((job) => job.id));
  }
}

const boss = new PgBoss({ ...settings, max: 10 });
boss.on('error', () => {});
await load();
const sink = open_sink(options, in_flight, clock);
const post = limit_calls(in_flight, sink.post);

if (options.best) {
  for (let index = 0; index < fetchers; ++index) fetch_and_deliver();
} else {
  await boss.work(queue, async (jobs) => {
    for (const job of jobs) {
      const remote_id = await sink.post(job.data.body);
      await write_ledger(pool, [{ id: job.data.id, remote_id }]);
      clock.outcomes_durable(1);
    }
  });
}
await clock.ended;
clock.report(
  'pg_boss',
  'postgresql',
  options.best ? { in_flight, fetchers, batch_size, priority: false } : 'defaults: work(), one job a poll of 2 s',
);
process.exit(0);
