import { Stack } from 'aws-cdk-lib';
import { MonitoringInventory } from './library.ts';
import { type Resource, resourcesOf, synthesiseStack } from './synthesise.ts';

describe('two inventories in one stack', () => {
  const template = synthesiseStack((app, assets) => {
    const stack = new Stack(app, 'Both', { suppressTemplateIndentation: true });
    for (const id of ['One', 'Two']) new MonitoringInventory(stack, id, { assets, waf: true });
    return stack;
  });

  /** The names that nothing else in the account and region may have, or whose metrics would be added up. */
  const nameOf: Readonly<Record<string, (properties: any) => unknown>> = {
    'AWS::ApiGateway::RestApi': ({ Name }) => Name,
    'AWS::CloudFront::Function': ({ Name }) => Name,
    'AWS::CloudFront::OriginAccessControl': ({ OriginAccessControlConfig: { Name } }) => Name,
    'AWS::Logs::MetricFilter': ({ MetricTransformations: [{ MetricNamespace }] }) => MetricNamespace,
    'AWS::WAFv2::WebACL': ({ VisibilityConfig: { MetricName } }) => MetricName,
  };

  const named = (of: RegExp): [Resource, string][] =>
    resourcesOf(template)
      .filter(({ type }) => of.test(type) && Object.hasOwn(nameOf, type))
      .map((resource) => [resource, JSON.stringify(nameOf[resource.type]!(resource.properties))]);

  test('have no name in common', () => {
    const names = named(/./).map(([{ type }, name]) => `${type} ${name}`);
    expect(names).toHaveLength(12);
    expect(new Set(names).size).toBe(names.length);
  });

  test('CloudFormation makes every other name', () => {
    const others = resourcesOf(template).filter(
      ({ type, properties }) =>
        !Object.hasOwn(nameOf, type) && ['Name', `${type.split('::').at(-1)}Name`].some((name) => name in properties),
    );
    // A stage is of its API.
    expect(others.map(({ type }) => type)).toEqual(['AWS::ApiGateway::Stage', 'AWS::ApiGateway::Stage']);
  });

  test('names of CloudFront have at most 64 characters in the region with the longest name', () => {
    const longest: Readonly<Record<string, string>> = { 'AWS::Region': 'x'.repeat(15), 'AWS::StackId': 'x'.repeat(32) };
    const [parts] = named(/OriginAccessControl/).map(([, name]) => JSON.parse(name)['Fn::Join'][1] as any[]);
    const length = parts!.map((part) => longest[part.Ref] ?? longest[refIn(part)] ?? part).join('').length;
    expect(length).toBeLessThanOrEqual(64);
  });
});

/** The pseudo parameter from which a part of a name is taken. */
function refIn(part: unknown): string {
  return /"Ref":"(AWS::\w+)"/.exec(JSON.stringify(part))?.[1] ?? '';
}
