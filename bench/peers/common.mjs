// What every peer shares: its options, the records, the calls to the sink, and the meter.

import fs from 'node:fs';
import readline from 'node:readline';
import { parseArgs } from 'node:util';
import { Client, Pool } from 'undici';

const clock_ticks_per_second = 100;

/** Command line of a peer; `settings` is best or default. */
export function read_options() {
  const { values } = parseArgs({
    options: {
      sink: { type: 'string' },
      'records-file': { type: 'string' },
      records: { type: 'string' },
      database: { type: 'string' },
      'server-pid': { type: 'string', default: '0' },
      settings: { type: 'string', default: 'best' },
      seconds: { type: 'string', default: '0' },
    },
  });
  return {
    sink: values.sink,
    records_file: values['records-file'],
    records: Number(values.records),
    database: values.database,
    server_pid: Number(values['server-pid']),
    best: values.settings === 'best',
    settings: values.settings,
    // A run is cut after so many seconds and its rate taken from what was done; 0 lets it end.
    seconds: Number(values.seconds),
  };
}

/** "host=… port=…" as the object node-postgres wants. */
export function postgresql_settings(conninfo) {
  const fields = Object.fromEntries(conninfo.split(' ').map((pair) => pair.split('=')));
  return { host: fields.host, port: Number(fields.port), user: fields.user, database: fields.dbname };
}

/** The records as {id, body}, in pieces of 10,000, so that loading them leaves no heap behind. */
export async function* read_records(options) {
  const lines = readline.createInterface({ input: fs.createReadStream(options.records_file) });
  let piece = [];
  let left = options.records;
  for await (const body of lines) {
    if (left-- === 0) break;
    piece.push({ id: JSON.parse(body).id, body });
    if (piece.length === 10_000) {
      yield piece;
      piece = [];
    }
  }
  if (piece.length > 0) yield piece;
}

class answer_reader {
  constructor(resolve, reject) {
    this.resolve = resolve;
    this.reject = reject;
    this.status = 0;
    this.text = '';
  }
  onRequestStart() {}
  onResponseStart(controller, status) {
    this.status = status;
  }
  onResponseData(controller, chunk) {
    this.text += chunk;
  }
  onResponseEnd() {
    if (this.status === 201) this.resolve(JSON.parse(this.text).id);
    else this.reject(new Error(`the sink answered ${this.status}`));
  }
  onResponseError(controller, error) {
    this.reject(error);
  }
}

const headers = ['content-type', 'application/json'];

/** Calls to the sink by undici's dispatch over `in_flight` connections of our own: the fastest way we found, twice a pool's. */
function open_fast_sink(address, in_flight, meter) {
  const free = Array.from({ length: in_flight }, () => new Client(`http://${address}`, { pipelining: 1 }));
  const clients = [...free];
  return {
    /** Posts a body and resolves to the target's id; never more than `in_flight` at once, or it throws. */
    async post(body) {
      meter.first_request();
      const client = free.pop();
      try {
        return await new Promise((resolve, reject) => {
          client.dispatch({ path: '/customers', method: 'POST', headers, body }, new answer_reader(resolve, reject));
        });
      } finally {
        free.push(client);
      }
    },
    close: () => Promise.all(clients.map((client) => client.close())),
  };
}

/** Calls to the sink as the documentation of undici shows them. */
function open_plain_sink(address, in_flight, meter) {
  const pool = new Pool(`http://${address}`, { connections: in_flight });
  return {
    async post(body) {
      meter.first_request();
      const answer = await pool.request({
        path: '/customers',
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      });
      if (answer.statusCode !== 201) throw new Error(`the sink answered ${answer.statusCode}`);
      return (await answer.body.json()).id;
    },
    close: () => pool.close(),
  };
}

export function open_sink(options, in_flight, meter) {
  const open = options.best ? open_fast_sink : open_plain_sink;
  return open(options.sink, in_flight, meter);
}

/** At most `limit` of the given calls out at once. */
export function limit_calls(limit, call) {
  let out = 0;
  const waiting = [];
  return async (argument) => {
    if (out === limit) await new Promise((resolve) => waiting.push(resolve));
    else out += 1;
    try {
      return await call(argument);
    } finally {
      const next = waiting.shift();
      if (next) next();
      else out -= 1;
    }
  };
}

/** Groups what is asked for while a write is under way into the next write. */
export class grouped_writer {
  constructor(write) {
    this.write = write;
    this.waiting = [];
    this.busy = false;
  }
  add(row) {
    return new Promise((resolve, reject) => {
      this.waiting.push({ row, resolve, reject });
      if (!this.busy) this.run();
    });
  }
  async run() {
    this.busy = true;
    // One turn of the event loop, so that the answers which arrived together are written together.
    await new Promise(setImmediate);
    while (this.waiting.length > 0) {
      const group = this.waiting;
      this.waiting = [];
      try {
        await this.write(group.map((entry) => entry.row));
        for (const entry of group) entry.resolve();
      } catch (error) {
        for (const entry of group) entry.reject(error);
      }
    }
    this.busy = false;
  }
}

export const ledger_schema_postgresql = `
  drop table if exists ledger;
  create table ledger(
    rule_id bigint not null, source_id text collate "C" not null, remote_id text not null, version bigint not null,
    status text not null, primary key (rule_id, source_id))`;

/** One durable outcome a row of {id, remote_id}, one statement with an array a column. */
export function write_ledger(client, rows) {
  return client.query({
    name: 'write_ledger',
    text: `insert into ledger select 1, s, r, 1, 'delivered' from unnest($1::text[], $2::text[]) as t(s, r)
           on conflict (rule_id, source_id) do update set remote_id = excluded.remote_id, status = excluded.status`,
    values: [rows.map((row) => row.id), rows.map((row) => row.remote_id)],
  });
}

function process_tree_seconds(root) {
  if (!root) return 0;
  let ticks = 0;
  for (const entry of fs.readdirSync('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    let text;
    try {
      text = fs.readFileSync(`/proc/${entry}/stat`, 'utf8');
    } catch {
      continue;
    }
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ').map(Number);
    if (Number(entry) === root) ticks += fields[11] + fields[12] + fields[13] + fields[14];
    else if (fields[1] === root) ticks += fields[11] + fields[12];
  }
  return ticks / clock_ticks_per_second;
}

function peak_memory_bytes() {
  return Number(/VmHWM:\s+(\d+) kB/.exec(fs.readFileSync('/proc/self/status', 'utf8'))[1]) * 1024;
}

/** Measures from the first request to the last durable outcome. */
export class meter {
  constructor(options) {
    this.options = options;
    this.started = 0;
    this.outcomes = 0;
    this.ended = new Promise((resolve) => (this.end = resolve));
  }
  first_request() {
    if (this.started !== 0) return;
    this.started = performance.now();
    // Forgets the peak of what came before, as proc(5) says.
    fs.writeFileSync('/proc/self/clear_refs', '5');
    this.cpu = process.cpuUsage();
    this.server_cpu = process_tree_seconds(this.options.server_pid);
    if (this.options.seconds > 0) setTimeout(this.end, this.options.seconds * 1000).unref();
  }
  /** Counts outcomes that are durable now. */
  outcomes_durable(count) {
    this.outcomes += count;
    this.last = performance.now();
    if (this.outcomes >= this.options.records) this.end();
  }
  report(name, database, settings) {
    const cpu = process.cpuUsage(this.cpu);
    const server_cpu = process_tree_seconds(this.options.server_pid) - this.server_cpu;
    const process_cpu = (cpu.user + cpu.system) / 1e6;
    const seconds = (this.last - this.started) / 1000;
    const line = {
      name,
      database,
      variant: this.options.settings,
      records: this.outcomes,
      seconds,
      deliveries_per_second: this.outcomes / seconds,
      cpu_seconds: process_cpu + server_cpu,
      process_cpu_seconds: process_cpu,
      server_cpu_seconds: server_cpu,
      peak_memory_bytes: peak_memory_bytes(),
      settings,
    };
    process.stdout.write(JSON.stringify(line) + '\n');
  }
}
