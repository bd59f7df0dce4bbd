// BullMQ on Redis with its append-only file: one job a record, whose return value, kept with the job, is the outcome.
//
// With appendfsync everysec an outcome of the last second can be lost with the machine; with always none. Whichever it is,
// the records themselves live elsewhere: nothing ties a job's end to a row of the user's own database.
// Best: 64 jobs and so 64 calls at once, commands pipelined; more jobs at once cost more than they bring. Default: one job at a time.
//
// --database redis:PORT

import { Queue, Worker } from 'bullmq';
import Redis from 'ioredis';
import { meter, open_sink, read_options, read_records } from './common.mjs';

const in_flight = 64;
const queue_name = 'deliver';

const options = read_options();
const clock = new meter(options);
const port = Number(options.database.slice(options.database.indexOf(':') + 1));
const connect = () =>
  new Redis({ port, host: '127.0.0.1', maxRetriesPerRequest: null, enableAutoPipelining: options.best });

async function load() {
  const connection = connect();
  await connection.flushall();
  const queue = new Queue(queue_name, { connection });
  for await (const piece of read_records(options)) {
    await queue.addBulk(piece.map((record) => ({ name: 'deliver', data: record })));
  }
  await queue.close();
  const [, fsync] = await connection.config('GET', 'appendfsync');
  await connection.quit();
  return fsync;
}

const fsync = await load();
const sink = open_sink(options, in_flight, clock);
const worker = new Worker(queue_name, async (job) => ({ remote_id: await sink.post(job.data.body), version: 1 }), {
  connection: connect(),
  ...(options.best ? { concurrency: in_flight } : {}),
});
worker.on('error', () => {});
worker.on('completed', () => clock.outcomes_durable(1));
await clock.ended;
clock.report('bullmq', 'redis', {
  appendonly: true,
  appendfsync: fsync,
  not_durable: fsync === 'always' ? 'nothing' : 'outcomes of the last second',
  ...(options.best ? { in_flight, auto_pipelining: true } : { in_flight: 1 }),
});
process.exit(0);
