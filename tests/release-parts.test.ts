/** The parts of `npm run release`; tests/release makes a whole one. */
import { strFromU8, unzipSync } from 'fflate';
import { releaseSection } from '../tools/release/changelog.ts';
import { packagesOfConsole, shippedMaterials } from '../tools/release/sbom.ts';
import { checkVersion, nextVersion, withVersion } from '../tools/release/versions.ts';
import { zipOf } from '../tools/release/zip.ts';

describe('the number of a release', () => {
  test.each([
    ['0.2.0', '0.1.0'],
    ['0.2.1', '0.2.0'],
    ['0.10.0', '0.9.3'],
    ['1.0.0', '0.99.99'],
  ])('%s may follow %s', (version, last) => expect(() => checkVersion(version, last)).not.toThrow());

  test.each([
    ['0.2.0', '0.2.0', 'is not later than 0.2.0'],
    ['0.9.0', '0.10.0', 'is not later than 0.10.0'],
    ['0.3', '0.2.0', 'three numbers'],
    ['v0.3.0', '0.2.0', 'three numbers'],
    ['0.3.0-dev', '0.2.0', 'three numbers'],
  ])('%s after %s is refused', (version, last, why) => expect(() => checkVersion(version, last)).toThrow(why));

  test('the next version is a minor one, also after a correction', () => {
    expect(['0.2.0', '0.2.1', '1.9.0'].map(nextVersion)).toEqual(['0.3.0-dev', '0.3.0-dev', '1.10.0-dev']);
  });

  test('only the number of this project changes in a lockfile', () => {
    const lock = (version: string) =>
      JSON.stringify(
        {
          ...{ name: 'monitoring-inventory', version },
          packages: { '': { name: 'monitoring-inventory', version }, 'node_modules/zod': { version: '0.1.0' } },
        },
        undefined,
        2,
      );
    expect(withVersion(lock('0.1.0'), '0.2.0')).toBe(lock('0.2.0'));
  });
});

describe('the changelog', () => {
  const changelog = '# Changelog\n\n## [Unreleased]\n\n- New.\n\n## [0.1.0]\n\n- First.\n';

  test('the unreleased section becomes that of the release, below an empty one', () => {
    expect(releaseSection(changelog, '0.2.0', '2026-01-31')).toEqual({
      changelog: '# Changelog\n\n## [Unreleased]\n\n## [0.2.0] - 2026-01-31\n\n- New.\n\n## [0.1.0]\n\n- First.\n',
      section: '- New.',
    });
  });

  test('a release without news, and one that exists, are refused', () => {
    const { changelog: released } = releaseSection(changelog, '0.2.0', '2026-01-31');
    expect(() => releaseSection(released, '0.3.0', '2026-02-01')).toThrow('says nothing');
    expect(() => releaseSection(changelog, '0.1.0', '2026-02-01')).toThrow('already');
    expect(() => releaseSection('# Changelog\n', '0.1.0', '2026-02-01')).toThrow('no section');
  });
});

describe('an archive', () => {
  const entries = [
    { name: 'b.txt', content: Buffer.from('beta '.repeat(50)) },
    { name: 'a/run', content: Buffer.from('#!/bin/sh\n'), isExecutable: true },
  ];

  test('has the same bytes for the same files in any order', () => {
    expect(zipOf(entries)).toEqual(zipOf(entries.toReversed()));
    expect(zipOf(entries)).not.toEqual(zipOf(entries.slice(1)));
  });

  test('contains the files, sorted, of one time, with their modes', () => {
    const archive = Buffer.from(zipOf(entries));
    const contents = entries.toReversed().map(({ name, content }) => [name, content.toString()]);
    const unpacked = Object.entries(unzipSync(archive)).map(([name, content]) => [name, strFromU8(content)]);
    expect(unpacked).toEqual(contents);
    const central = archive.indexOf('PK\x01\x02', 0, 'latin1');
    expect((archive.readUInt32LE(central + 38) >>> 16) & 0o777).toBe(0o755);
    // 1980-01-01, in the form of MS-DOS.
    expect(archive.readUInt32LE(central + 12)).toBe(0x21 << 16);
  });
});

describe('the bill of materials', () => {
  const development = [{ name: 'cdx:npm:package:development', value: 'true' }];
  const component = (name: string, version: string, properties?: object) => ({
    ...{ 'bom-ref': `${name}@${version}`, name, version },
    ...(properties === undefined ? {} : { properties }),
  });
  const written = (serialNumber: string, timestamp: string) =>
    JSON.stringify({
      ...{ bomFormat: 'CycloneDX', serialNumber, metadata: { timestamp } },
      components: [
        component('zod', '4.0.0'),
        component('react', '19.0.0', development),
        component('react', '18.0.0', development),
        component('jest', '30.0.0', development),
      ],
      dependencies: [
        { ref: 'inventory@0.2.0', dependsOn: ['zod@4.0.0', 'jest@30.0.0'] },
        { ref: 'zod@4.0.0', dependsOn: [] },
        { ref: 'jest@30.0.0', dependsOn: [] },
      ],
    });
  const time = '2026-01-31T00:00:00.000Z';
  const bundled = packagesOfConsole('# Licenses\n\n## react - 19.0.0 (MIT)\n\nText\n');

  test('names what the artefacts contain, and no tool of the development', () => {
    const bom = JSON.parse(shippedMaterials(written('urn:uuid:1', 'now'), bundled, time));
    expect(bom.components).toEqual([component('zod', '4.0.0'), component('react', '19.0.0')]);
    expect(bom.dependencies).toEqual([
      { ref: 'inventory@0.2.0', dependsOn: ['zod@4.0.0'] },
      { ref: 'zod@4.0.0', dependsOn: [] },
    ]);
  });

  test('is the same text in each run, with the time of the commit', () => {
    const [first, second] = ['1', '2'].map((run) => shippedMaterials(written(`urn:uuid:${run}`, run), bundled, time));
    expect(first).toBe(second);
    expect(JSON.parse(first!)).toMatchObject({
      metadata: { timestamp: time },
      serialNumber: expect.stringMatching(/^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/),
    });
  });
});
