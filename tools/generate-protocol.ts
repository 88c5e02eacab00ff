import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as z from 'zod/mini';

// Generates the messages of pmm-agent and of OpAMP from their declarations. Needs `protoc` (protobuf-compiler of Debian) and a
// registry of npm, which neither the installation nor the tests of this repository need: the result is in Git.

/** The declarations; the code is in the folder `generated` beside each. */
const declarations = ['gateway/protocol/agent.proto', 'functions/opamp/protocol/opamp.proto'];

const root = fileURLToPath(new URL('..', import.meta.url));
const { dependencies } = z.parse(
  z.object({ dependencies: z.record(z.string(), z.string()) }),
  JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')),
);
// The generator and the library have the same versions.
const version = dependencies['@bufbuild/protobuf'] ?? '';
const temporary = mkdtempSync(join(tmpdir(), 'protocol-'));
try {
  const packages = ['protoc-gen-es', 'protobuf'].map((name) => `@bufbuild/${name}@${version}`);
  execFileSync('npm', ['install', '--prefix', temporary, '--no-audit', '--no-fund', ...packages], { stdio: 'ignore' });
  const plugin = join(temporary, 'node_modules/.bin/protoc-gen-es');
  const options = ['--es_out=generated', '--es_opt=target=ts,import_extension=ts'];
  for (const path of declarations) {
    const cwd = join(root, dirname(path));
    mkdirSync(join(cwd, 'generated'), { recursive: true });
    execFileSync('protoc', [`--plugin=protoc-gen-es=${plugin}`, ...options, basename(path)], { cwd, stdio: 'inherit' });
    const generated = join(cwd, 'generated', basename(path).replace('.proto', '_pb.ts'));
    // The lint leaves out the folder; a comment for another linter says nothing here.
    writeFileSync(generated, readFileSync(generated, 'utf8').replace('/* eslint-disable */\n', ''));
  }
} finally {
  rmSync(temporary, { recursive: true });
}
