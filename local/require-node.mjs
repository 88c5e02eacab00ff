// Imported first, for its effect. Old syntax only: a Node that is too old must be able to parse this file,
// because Node parses a whole static import graph before it runs any of it.
// The first with a stable enough node:sqlite: https://nodejs.org/docs/latest-v24.x/api/sqlite.html
var required = '24.15';
var running = process.versions.node;

var parts = running.split('.').map(Number);
var least = required.split('.').map(Number);

if (parts[0] < least[0] || (parts[0] === least[0] && parts[1] < least[1])) {
  process.stderr.write(
    'Node ' +
      required +
      ' or newer is required, but this is Node ' +
      running +
      '. On Linux and on Windows x64 `npm ci` installs Node 24 as an optional package: use `npm start` or `npm test`. ' +
      'Elsewhere install Node 24 (see .nvmrc).\n',
  );
  process.exit(1);
}
