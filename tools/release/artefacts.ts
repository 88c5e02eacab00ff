import { execFile } from 'node:child_process';
import { copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { packTar } from '../pack-tar.ts';
import { packagesOfConsole, shippedMaterials } from './sbom.ts';
import { zipOf } from './zip.ts';

const MAX_OUTPUT = 2 ** 26;

/** A checkout of the release, with its packages installed. */
export interface Source {
  readonly root: string;
  readonly version: string;
  /** The time of the commit. */
  readonly time: Date;
}

/** Writes the files of an artefact into the folder. */
type Build = (source: Source, folder: string) => Promise<void>;

const environment = ({ time }: Source) => ({
  ...process.env,
  SOURCE_DATE_EPOCH: String(time.getTime() / 1000),
  // Go takes no other version of itself, and no flags of the machine.
  ...{ GOTOOLCHAIN: 'local', GOFLAGS: '-trimpath -buildvcs=false', CGO_ENABLED: '0' },
  TZ: 'UTC',
});

/** Runs a program in the checkout. @returns what it prints. */
async function run(source: Source, [program = '', ...args]: readonly string[], folder = source.root): Promise<string> {
  const options = { cwd: folder, env: environment(source), maxBuffer: MAX_OUTPUT };
  return (await promisify(execFile)(program, args, options)).stdout;
}

/** Runs a script of the package file, whose last line is the file that it has made. */
async function fileOf(source: Source, script: string): Promise<string> {
  const lines = (await run(source, ['npm', 'run', '-s', script])).trim().split('\n');
  return lines.at(-1) ?? '';
}

const copied =
  (script: string): Build =>
  async (source, folder) => {
    const file = await fileOf(source, script);
    await copyFile(file, join(folder, basename(file)));
  };

/** The wheel, and the source distribution beside it. */
const python: Build = async (source, folder) => {
  const wheel = await fileOf(source, 'package:python');
  const built = join(wheel, '..');
  for (const name of (await readdir(built)).filter((file) => /\.(whl|tar\.gz)$/.test(file)))
    await copyFile(join(built, name), join(folder, name));
};

/** The archive of the collection. ansible-galaxy writes the present time into it, so it is packed again. */
const ansible: Build = async (source, folder) => {
  const file = await fileOf(source, 'package:ansible');
  const content = `${file}.content`;
  await mkdir(content);
  await run(source, ['tar', '-xzf', file, '-C', content]);
  await packTar(content, join(folder, basename(file)), source.time);
};

/** The provider for this platform, as a file mirror has it. */
const terraform: Build = async (source, folder) => {
  const { version, root } = source;
  const module = join(root, 'clients/terraform');
  const [os = '', architecture = ''] = (await run(source, ['go', 'env', 'GOOS', 'GOARCH'], module)).trim().split('\n');
  const name = `terraform-provider-inventory_v${version}${os === 'windows' ? '.exe' : ''}`;
  const field = 'github.com/monitoring-inventory/terraform-provider-inventory/internal/fields.Version';
  const program = join(root, 'dist', name);
  await run(source, ['go', 'build', '-ldflags', `-s -w -buildid= -X ${field}=${version}`, '-o', program, '.'], module);
  const archive = zipOf([{ name, content: await readFile(program), isExecutable: true }]);
  await writeFile(join(folder, `terraform-provider-inventory_${version}_${os}_${architecture}.zip`), archive);
};

/** Packages for development whose code is in the command line, the library and the API browser. */
const BUNDLED = ['commander', 'papaparse', 'yaml', 'swagger-ui-dist', 'selfsigned'];

/** The bill of materials of all artefacts of npm, by npm itself. */
const materials: Build = async (source, folder) => {
  const text = await run(source, ['npm', 'sbom', '--sbom-format', 'cyclonedx', '--sbom-type', 'application']);
  const licences = await readFile(join(source.root, 'dist/console/licenses.txt'), 'utf8');
  const bundled = [...BUNDLED, ...packagesOfConsole(licences)];
  await writeFile(join(folder, 'sbom.cdx.json'), shippedMaterials(text, bundled, source.time.toISOString()));
};

/** The artefacts of a release, by name. */
export const artefacts: Readonly<Record<string, Build>> = {
  server: copied('package:server'),
  cli: copied('package:cli'),
  client: copied('package:client'),
  cdk: copied('package'),
  template: copied('package:template'),
  python,
  ansible,
  terraform,
  // Last: the console is built then.
  sbom: materials,
};
