// Loads every proto of a folder as @grpc/proto-loader does, from that folder alone, and prints the services with their methods.
// Usage: node load.cjs FOLDER FILE...
const { loadSync } = require("@grpc/proto-loader");

const [folder, ...files] = process.argv.slice(2);
const loaded = loadSync(files, { includeDirs: [folder] });
for (const [name, kind] of Object.entries(loaded)) {
  const methods = Object.keys(kind).filter((method) => kind[method] && kind[method].path);
  if (methods.length) console.log(`${name} ${methods.sort().join(" ")}`);
}
