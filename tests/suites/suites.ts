/** What a suite needs of the machine while it runs. */
export interface Needs {
  readonly processors: number;
  readonly memoryMb: number;
  /** Nothing else runs beside it. */
  readonly alone?: true;
}

/** A command that proves something, with all that a runner has to know about it. */
export interface Suite {
  readonly name: string;
  /** For a shell, in the root. */
  readonly command: string;
  /** Suites of the gate prove every change; the others are the full run. */
  readonly in: 'gate' | 'full';
  /** Programs that `.ci/install` installs. */
  readonly programs?: readonly string[];
  readonly needs: Needs;
  /** Wall time on a machine of two processors without other work. */
  readonly usualSeconds: number;
  /** Paths from the root; a change below them can change its result. */
  readonly changedBy: readonly string[];
}

/** What every suite of the full run depends on. */
export const COMMON_PATHS = ['package-lock.json', 'tests/runner/', 'tests/suites/', 'tests/support/', '.ci/'];

const SERVER = ['functions/', 'shared/', 'local/', 'gateway/'];

/** The tests of every client read it. */
const CONNECTION_CASES = 'clients/connection-cases.json';

const CFN_LINT = 'PATH="$PWD/node_modules/.cache/cfn-lint/bin:$PATH"';

/** All suites. None has a fixed port. */
export const suites: readonly Suite[] = [
  {
    name: 'test',
    command: 'npm test',
    in: 'gate',
    needs: { processors: 2, memoryMb: 6000 },
    usualSeconds: 240,
    changedBy: [''],
  },
  {
    name: 'lint',
    command: 'npm run lint',
    in: 'gate',
    needs: { processors: 1, memoryMb: 6000 },
    usualSeconds: 120,
    changedBy: [''],
  },
  {
    name: 'openapi',
    command: 'npm run lint:openapi',
    in: 'gate',
    needs: { processors: 1, memoryMb: 1000 },
    usualSeconds: 20,
    changedBy: ['swagger-static/'],
  },
  {
    name: 'template',
    command: `npm run synth && ${CFN_LINT} REGIONS=us-east-1 npm run lint:template`,
    in: 'gate',
    programs: ['cfn-lint'],
    needs: { processors: 1, memoryMb: 3000 },
    usualSeconds: 100,
    changedBy: ['functions/', 'shared/', 'infra/'],
  },
  {
    name: 'smoke',
    command: 'npm run test:smoke',
    in: 'gate',
    programs: ['chromium-headless-shell'],
    needs: { processors: 1, memoryMb: 3000 },
    usualSeconds: 100,
    changedBy: [''],
  },
  {
    // What the regions of AWS lack differs from one to the other, and seldom.
    name: 'regions',
    command: `npm run synth && ${CFN_LINT} npm run lint:template`,
    in: 'full',
    programs: ['cfn-lint'],
    needs: { processors: 2, memoryMb: 3000 },
    usualSeconds: 150,
    changedBy: ['infra/'],
  },
  {
    name: 'deploy',
    command: 'npm run test:deploy',
    in: 'full',
    programs: ['python3'],
    needs: { processors: 2, memoryMb: 8000 },
    usualSeconds: 700,
    changedBy: ['infra/', 'functions/', 'shared/', 'clients/cdk/', 'gateway/', 'tests/deploy/'],
  },
  {
    name: 'clients',
    command: 'npm run test:clients',
    in: 'full',
    programs: ['python3'],
    needs: { processors: 1, memoryMb: 2000 },
    usualSeconds: 120,
    changedBy: ['clients/python/', CONNECTION_CASES, 'functions/openapi/', 'swagger-static/', 'tests/python-client/'],
  },
  {
    name: 'terraform',
    command: 'npm run test:terraform',
    in: 'full',
    programs: ['go'],
    needs: { processors: 1, memoryMb: 4000 },
    usualSeconds: 400,
    changedBy: ['clients/terraform/', CONNECTION_CASES, 'functions/api/', 'functions/domain/', 'tests/terraform/'],
  },
  {
    name: 'ansible',
    command: 'npm run test:ansible',
    in: 'full',
    programs: ['python3'],
    needs: { processors: 1, memoryMb: 2000 },
    usualSeconds: 120,
    changedBy: ['clients/ansible/', CONNECTION_CASES, 'functions/api/', 'functions/domain/', 'tests/ansible/'],
  },
  {
    name: 'opamp',
    command: 'npm run test:opamp',
    in: 'full',
    programs: ['go'],
    needs: { processors: 1, memoryMb: 4000 },
    usualSeconds: 300,
    changedBy: ['gateway/opamp/', 'functions/opamp/', 'tests/opamp-programs/'],
  },
  {
    name: 'discovery',
    command: 'npm run test:discovery',
    in: 'full',
    programs: ['prometheus', 'vmagent'],
    needs: { processors: 1, memoryMb: 2000 },
    usualSeconds: 60,
    changedBy: ['functions/api/discovery/', 'functions/api/metrics/', 'local/', 'tests/discovery/'],
  },
  {
    // What people do in the order of a document, to its end.
    name: 'ways',
    command: 'npm run test:ways',
    in: 'full',
    programs: [
      ...['prometheus', 'prometheus-node-exporter', 'prometheus-mysqld-exporter', 'prometheus-postgres-exporter'],
      ...['prometheus-mongodb-exporter', 'prometheus-redis-exporter', 'haproxy', 'vmagent', 'go', 'ip', 'python3'],
    ],
    needs: { processors: 2, memoryMb: 4000 },
    usualSeconds: 540,
    changedBy: [
      ...['README.md', 'docs/', ...SERVER, 'clients/cli/', 'tests/ways/', 'tests/agents/host/'],
      ...['tests/opamp-programs/', 'tests/data-folders/'],
    ],
  },
  {
    // A release, twice, and each of its artefacts in an empty folder.
    name: 'release',
    command: 'npm run test:release',
    in: 'full',
    programs: ['python3', 'go', 'systemd-analyze', 'nginx', 'buildah', 'mmdebstrap', 'prometheus', 'cfn-lint'],
    needs: { processors: 2, memoryMb: 4000 },
    usualSeconds: 1200,
    changedBy: [
      ...['tools/', 'local/package/', 'infra/app.ts', 'infra/template-parameters.ts', 'tests/release/'],
      ...['docs/releases.md', 'docs/server.md', 'package.json'],
    ],
  },
  {
    name: 'keycloak',
    command: 'TEST_EXTENT=full npm run test:keycloak',
    in: 'full',
    programs: ['java'],
    needs: { processors: 2, memoryMb: 4000 },
    usualSeconds: 200,
    changedBy: ['functions/api/logins/', 'functions/identity/', 'shared/auth/', 'tests/keycloak/'],
  },
  {
    name: 'long',
    command: 'TEST_EXTENT=full npm run test:long',
    in: 'full',
    programs: ['faketime', 'java', 'strace', 'zsh', 'fish', 'mandoc', 'bash-completion', 'systemd-analyze', 'python3'],
    needs: { processors: 2, memoryMb: 8000, alone: true },
    usualSeconds: 700,
    changedBy: [...SERVER, 'clients/', 'infra/', 'console/', 'docs/', 'tests/'],
  },
  {
    name: 'arm',
    command: 'npm run test:arm',
    in: 'full',
    needs: { processors: 1, memoryMb: 3000 },
    usualSeconds: 300,
    changedBy: ['local/', 'tests/arm/'],
  },
  {
    name: 'dynamodb-local',
    command: 'npm run test:dynamodb-local',
    in: 'full',
    programs: ['java'],
    needs: { processors: 2, memoryMb: 4000 },
    usualSeconds: 400,
    changedBy: ['functions/', 'shared/db/', 'local/engine/', 'tests/dynamodb-local/', 'tests/consistency/'],
  },
  {
    name: 'browser',
    command: 'npm run test:browser',
    in: 'full',
    programs: ['chromium-headless-shell', 'faketime'],
    needs: { processors: 2, memoryMb: 6000 },
    usualSeconds: 500,
    changedBy: ['console/', 'swagger-static/', 'docs/', 'functions/api/', 'tests/browser/'],
  },
];
