import { writeFile } from 'node:fs/promises';
import * as z from 'zod/mini';
import { deployableTypes, HANDLER_PERMISSIONS } from '../infra/permissions/handler-permissions.ts';
import { run } from '../tests/deploy/processes.ts';
import { installPythonProgram } from '../tests/deploy/python-program.ts';

/** The package that contains the provider schemas of CloudFormation, licence MIT-0. */
const schemas = { package: 'cfn-lint', version: '1.58.0', program: 'python' } as const;

const permissionsSchema = z.record(z.string(), z.array(z.string()));

/** Prints the permissions by type. Only Cloud Control calls the handlers that list resources, not a deployment. */
const script = `
import json, os, sys, cfnlint
data = os.path.join(os.path.dirname(cfnlint.__file__), 'data', 'schemas')
files = json.load(open(os.path.join(data, 'providers', 'us-east-1.json')))
permissions = {}
for name in sys.argv[1:]:
    handlers = json.load(open(os.path.join(data, 'resources', files[name] + '.json'))).get('handlers', {})
    permissions[name] = sorted({
        one for kind, handler in handlers.items() if kind != 'list' for one in handler.get('permissions', [])
    })
print(json.dumps(permissions, sort_keys=True))
`;

if (import.meta.main) {
  const python = await installPythonProgram(schemas);
  const options = { cwd: process.cwd(), env: process.env, limitMilliseconds: 120_000 };
  const printed = await run([python, '-c', script, ...deployableTypes()], options);
  const source = `handlers of the provider schemas of CloudFormation in us-east-1, from the Python package ${schemas.package} ${schemas.version}`;
  const lines = Object.entries(z.parse(permissionsSchema, JSON.parse(printed))).map(
    ([type, actions]) => `    "${type}": ${JSON.stringify(actions)}`,
  );
  const text = `{\n  "source": ${JSON.stringify(source)},\n  "permissions": {\n${lines.join(',\n')}\n  }\n}\n`;
  await writeFile(HANDLER_PERMISSIONS, text);
}
