/**
 * docs/server.md: the container, built by buildah on a base of Debian with the Node of this checkout, because no registry of images is
 * needed then; and the configuration of the compose file. The other images are not run.
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { run } from '../deploy/processes.ts';
import { releaseOfRun, withoutCheckout } from './artefacts.ts';

const LIMIT_MS = 900_000;
const BASE = 'localhost/node-of-the-checkout';
const IMAGE = 'localhost/inventory-server';

const { version, file } = await releaseOfRun();
const packed = await file(/^monitoring-inventory-server-.*\.tgz$/);

let folder: string;

// Without a daemon and without an overlay, which a container that runs the tests may lack.
const environment = () => ({
  ...withoutCheckout(),
  BUILDAH_ISOLATION: 'chroot',
  STORAGE_DRIVER: 'vfs',
  STORAGE_OPTS: '',
});

const shell = (command: string) =>
  run(['bash', '-euo', 'pipefail', '-c', command], { cwd: folder, env: environment(), limitMilliseconds: LIMIT_MS });

const storage = () => `--root '${folder}/images' --runroot '${folder}/run'`;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'release-container-'));
  await shell(`tar xzf '${packed}'`);
  await shell(
    [
      'mmdebstrap --quiet --variant=minbase --mode=root --include=libstdc++6 bookworm rootfs',
      `cp '${process.execPath}' rootfs/usr/local/bin/node`,
      `base=$(buildah ${storage()} from scratch)`,
      `buildah ${storage()} add --quiet "$base" rootfs / >/dev/null`,
      `buildah ${storage()} commit --quiet --rm "$base" ${BASE}`,
      'rm -rf rootfs',
      `buildah ${storage()} bud --quiet --format docker --build-arg BASE=${BASE} -t ${IMAGE} -f package/deploy/Dockerfile package`,
    ].join('\n'),
  );
}, LIMIT_MS);

afterAll(() => rm(folder, { recursive: true, force: true }));

test(
  'the container answers, its check passes, and its user changes only the data',
  async () => {
    const inside = [
      'id -u',
      'node /opt/inventory/start.cjs --version',
      'node /opt/inventory/start.cjs & server=$!',
      'for second in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do',
      '  node /opt/inventory/check.mjs 2>/dev/null && break; sleep 1',
      'done',
      'node /opt/inventory/check.mjs && echo checked',
      'touch /opt/inventory/changed 2>/dev/null || echo read-only',
      'stat -c %a /data',
      'kill $server; wait $server',
    ].join('\n');
    const said = await shell(
      `container=$(buildah ${storage()} from ${IMAGE})\nbuildah ${storage()} run -e PORT=18443 "$container" -- sh -c '${inside}'`,
    );
    const lines = said.trim().split('\n');
    expect(lines).toEqual(
      expect.arrayContaining(['10001', `inventory-server ${version}`, 'checked', 'read-only', '700']),
    );
  },
  LIMIT_MS,
);

test('the image states its user, its data and its health check', async () => {
  const { Docker } = JSON.parse(await shell(`buildah ${storage()} inspect --type image ${IMAGE}`));
  expect(Docker.config).toMatchObject({
    User: '10001:10001',
    Volumes: { '/data': {} },
    Healthcheck: { Test: ['CMD', 'node', '/opt/inventory/check.mjs'] },
  });
});

test('the build downloads nothing but the base', async () => {
  const recipe = await readFile(join(folder, 'package/deploy/Dockerfile'), 'utf8');
  expect(recipe.match(/^(FROM|RUN) .*$/gm)).toEqual(['FROM ${BASE}', expect.stringMatching(/^RUN mkdir .* chown /)]);
});

test('Prometheus accepts its configuration, and the files that the compose file mounts exist', async () => {
  const deploy = join(folder, 'package/deploy');
  const { services } = parse(await readFile(join(deploy, 'compose.yaml'), 'utf8'));
  const mounted = Object.values<any>(services)
    .flatMap(({ volumes }) => volumes as string[])
    .flatMap((volume) => /^\.\/([^:]+):/.exec(volume)?.[1] ?? [])
    .filter((name) => name !== 'secrets');
  expect(mounted).toHaveLength(5);
  for (const name of mounted) await shell(`test -e '${deploy}/${name}'`);
  const rewritten = `sed 's#/etc/prometheus/inventory#${deploy}/monitoring#; s#/etc/prometheus/secrets#${deploy}/secrets#' '${deploy}/prometheus.yml' > '${deploy}/checked.yml'`;
  await shell(`mkdir -p '${deploy}/secrets' && touch '${deploy}/secrets/'{inventory.key,tls-cert.pem} && ${rewritten}`);
  expect(await shell(`promtool check config --syntax-only '${deploy}/checked.yml'`)).toContain('SUCCESS');
});
