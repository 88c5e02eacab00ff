#!/usr/bin/env node
'use strict';
// Old syntax only: a Node that is too old must be able to run this file, which then starts the Node that the package brings.
var childProcess = require('child_process');
var path = require('path');

// The first with a stable enough node:sqlite: https://nodejs.org/docs/latest-v24.x/api/sqlite.html
var REQUIRED = [24, 15];

var programs = { backup: 'backup.mjs', check: 'check.mjs' };

function isNewEnough(version) {
  var parts = version.split('.').map(Number);
  return parts[0] > REQUIRED[0] || (parts[0] === REQUIRED[0] && parts[1] >= REQUIRED[1]);
}

// The Node of an optional package for this platform; undefined without one.
function packagedNode() {
  var name = 'node-' + (process.platform === 'win32' ? 'win' : process.platform) + '-' + process.arch;
  try {
    var folder = path.dirname(require.resolve(name + '/package.json'));
    return path.join(folder, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  } catch (error) {
    return undefined;
  }
}

function runWith(node) {
  var child = childProcess.spawn(node, [__filename].concat(process.argv.slice(2)), { stdio: 'inherit' });
  // A terminal sends its signals to both, a manager of services to this process.
  ['SIGTERM', 'SIGHUP', 'SIGINT'].forEach(function (signal) {
    process.on(signal, function () {
      if (signal !== 'SIGINT') child.kill(signal);
    });
  });
  child.on('exit', function (code) {
    process.exit(code === null ? 1 : code);
  });
}

function main() {
  var word = process.argv[2];
  if (word === '--version') {
    process.stdout.write('inventory-server ' + require('./build.json').version + '\n');
    return;
  }
  if (!isNewEnough(process.versions.node)) {
    var node = packagedNode();
    if (node === undefined) {
      process.stderr.write(
        'Node ' +
          REQUIRED.join('.') +
          ' or newer is required, but this is Node ' +
          process.versions.node +
          '. Install Node 24.\n',
      );
      process.exit(1);
    }
    runWith(node);
    return;
  }
  var program = programs[word];
  if (program !== undefined) process.argv.splice(2, 1);
  import('./' + (program || 'server.mjs'));
}

main();
