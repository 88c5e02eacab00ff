import { grantsOf, resourcesOf, type Statement, type Template } from '../synthesis/synthesise.ts';

/** A resource in the notation of the list: logical ids, without the functions of CloudFormation. */
function resourceText(resource: unknown): string {
  if (typeof resource === 'string') return resource;
  if (Array.isArray(resource)) return resource.map(resourceText).join('');
  if (typeof resource !== 'object' || resource === null) return String(resource);
  const [[name, value] = ['', '']] = Object.entries(resource);
  if (name === 'Fn::GetAtt' && Array.isArray(value)) return value.map(String).join('.');
  if (name === 'Fn::Join' && Array.isArray(value)) return resourceText(value[1]);
  return `${name === 'Ref' ? '' : `${name} `}${resourceText(value)}`;
}

/** Omits `Null: false`, which requires that the key is present. permissions.test.ts asserts it for every condition. */
function conditionText(condition: Statement['Condition'] = {}): string[] {
  return Object.entries(condition)
    .filter(([operator]) => operator !== 'Null')
    .flatMap(([operator, keys]) =>
      Object.entries(keys).map(
        ([key, values]) => `    ${operator} ${key} ${[values].flat().map(resourceText).join(' ')}`,
      ),
    );
}

function statementText({ Action, Resource, Condition }: Statement): string {
  const what = `  ${Action.join(' ')} on ${Resource.map(resourceText).join(', ')}`;
  return [what, ...conditionText(Condition)].join('\n');
}

const functionPaths = (template: Template) =>
  resourcesOf(template, 'AWS::Lambda::Function').map(({ path }) => path.replace('/Function/Resource', ''));

/**
 * The permissions of every function according to the template, without logs and traces. Functions with the same
 * permissions share an entry. The list is under version control, so a diff shows every change of permissions.
 */
export function permissionList(template: Template): string {
  const entries = new Map<string, string[]>();
  for (const path of functionPaths(template)) {
    const statements = grantsOf(template, path).map(statementText).sort();
    const rights = statements.length === 0 ? '  nothing' : statements.join('\n');
    entries.set(rights, [...(entries.get(rights) ?? []), path.split('/').at(-1) ?? path]);
  }
  const texts = [...entries].map(([rights, functions]) => `${functions.toSorted().join(' ')}\n${rights}\n`);
  return texts.toSorted().join('\n');
}
