// embed.mjs FOLDER FILE: writes a C++ source with every file of the built page.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { extname, join, relative } from "node:path";

const types = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".svg": "image/svg+xml",
};

const [folder, target] = process.argv.slice(2);
const paths = readdirSync(folder, { withFileTypes: true })
  .flatMap((entry) =>
    entry.isDirectory()
      ? readdirSync(join(folder, entry.name)).map((name) => join(folder, entry.name, name))
      : [join(folder, entry.name)],
  )
  .map((path) => relative(folder, path))
  .sort((a, b) => (a < b ? -1 : 1));

const arrays = [];
const rows = [];
for (const [number, path] of paths.entries()) {
  const type = types[extname(path)];
  if (!type) throw new Error(`${path}: what type is this?`);
  const bytes = Array.from(readFileSync(join(folder, path)), (byte) => (byte > 127 ? byte - 256 : byte));
  const lines = [];
  for (let at = 0; at < bytes.length; at += 200) lines.push(bytes.slice(at, at + 200).join(","));
  arrays.push(`constexpr char bytes_${number}[] = {\n${lines.join(",\n")}};`);
  rows.push(`    {${JSON.stringify(path)}, ${JSON.stringify(type)}, {bytes_${number}, sizeof bytes_${number}}},`);
}

writeFileSync(
  target,
  `#include "api/page_files.hpp"

namespace sluice::api {

namespace {

${arrays.join("\n")}

constexpr page_file files[] = {
${rows.join("\n")}
};

} // namespace

std::span<const page_file> page_files() {
  return files;
}

} // namespace sluice::api
`,
);
