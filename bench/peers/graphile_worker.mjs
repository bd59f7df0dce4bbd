// graphile-worker on PostgreSQL: one job a record, one ledger row a job.
//
// Best: jobs fetched and completed in batches, ledger rows of jobs that end together written by one statement, 64 calls in
// flight. Default: the library's own settings, one job at a time, one insert a job.

import { makeWorkerUtils, run, Logger } from 'graphile-worker';
import pg from 'pg';
import {
  grouped_writer,
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
// More jobs than calls, so that calls go on while jobs wait for their ledger row.
const concurrent_jobs = 512;
const local_queue_size = 2048;

const options = read_options();
const clock = new meter(options);
const pool = new pg.Pool({ ...postgresql_settings(options.database), max: 10 });
pool.on('error', () => {});
pool.on('connect', (client) => client.on('error', () => {}));
const logger = new Logger(() => () => {});

async function load() {
  await pool.query('drop schema if exists graphile_worker cascade');
  await pool.query(ledger_schema_postgresql);
  const utilities = await makeWorkerUtils({ pgPool: pool, logger });
  await utilities.migrate();
  await utilities.release();
  for await (const piece of read_records(options)) {
    await pool.query(
      `select count(*) from graphile_worker.add_jobs(array(
         select row('deliver', json_build_object('id', id, 'body', body), null, null, null, null, null, null)
           ::graphile_worker.job_spec
         from unnest($1::text[], $2::text[]) as t(id, body)))`,
      [piece.map((record) => record.id), piece.map((record) => record.body)],
    );
  }
  await pool.query('vacuum analyze graphile_worker._private_jobs');
}

const best_settings = {
  concurrentJobs: concurrent_jobs,
  maxPoolSize: 10,
  localQueue: { size: local_queue_size },
  completeJobBatchDelay: 0,
  failJobBatchDelay: 0,
};

await load();
const sink = open_sink(options, in_flight, clock);
const ledger_client = await pool.connect();
const ledger = new grouped_writer(async (rows) => {
  await write_ledger(ledger_client, rows);
  clock.outcomes_durable(rows.length);
});
const post = limit_calls(in_flight, sink.post);

const deliver_best = async ({ id, body }) => ledger.add({ id, remote_id: await post(body) });
const deliver_plainly = async ({ id, body }, helpers) => {
  const remote_id = await sink.post(body);
  await helpers.withPgClient((client) => write_ledger(client, [{ id, remote_id }]));
  clock.outcomes_durable(1);
};

const runner = await run({
  pgPool: pool,
  logger,
  noHandleSignals: true,
  taskList: { deliver: options.best ? deliver_best : deliver_plainly },
  preset: { worker: options.best ? best_settings : {} },
});
await clock.ended;
clock.report('graphile_worker', 'postgresql', options.best ? { in_flight, ...best_settings } : 'defaults: one job at a time');
// A cut run leaves jobs behind that need no orderly end: its database is thrown away.
if (options.seconds > 0) process.exit(0);
await runner.stop();
process.exit(0);
