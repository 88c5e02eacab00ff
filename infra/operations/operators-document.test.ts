import { readFile } from 'node:fs/promises';
import { everyOption } from '../settings/every-option.ts';
import { resourcesOf, synthesise } from '../synthesis/synthesise.ts';
import { fencedBlocks } from '../../tests/support/fenced-blocks.ts';

/** The names by which people know the services, where the types of resources have others. */
const names: Readonly<Record<string, string>> = {
  ApiGateway: 'API Gateway',
  ApiGatewayV2: 'API Gateway',
  ApplicationAutoScaling: 'Application Auto Scaling',
  ElasticLoadBalancingV2: 'Elastic Load Balancing',
  Events: 'EventBridge',
  Logs: 'CloudWatch Logs',
  Route53: 'Route 53',
  SecretsManager: 'Secrets Manager',
  WAFv2: 'WAF',
  XRay: 'X-Ray',
};

const servicesOf = (settings: object) => {
  const types = resourcesOf(synthesise(settings)).map(({ type }) => type.split('::'));
  const services = types.flatMap(([vendor, service = '']) => (vendor === 'AWS' ? [names[service] ?? service] : []));
  return [...new Set(services)].sort();
};

const text = await readFile(new URL('../../docs/operators.md', import.meta.url), 'utf8');

test("docs/operators.md lists exactly the template's services", () => {
  const [, section = ''] = text.split('\n## What is deployed\n');
  const rows = [...section.split('\n## ')[0]!.matchAll(/^\| ([A-Z][\w .-]*?) \| (.*) \|$/gm)].slice(1);
  expect(rows.map(([, service]) => service).sort()).toEqual(servicesOf(everyOption));
  // A service without its setting is not deployed.
  const optional = rows.filter(([, , what]) => what!.startsWith('with `')).map(([, service]) => service!);
  expect(
    rows
      .map(([, service]) => service!)
      .filter((service) => !optional.includes(service))
      .sort(),
  ).toEqual(servicesOf({}));
});

test('the diagram shows all services that are always deployed except permissions and traces', () => {
  const [diagram = ''] = fencedBlocks(text, 'mermaid');
  const shown = new Set([...diagram.matchAll(/\["?\(?"?([A-Z][\w -]*?)<br\/>/g)].map(([, service]) => service!));
  const others = ['CloudWatch Logs', 'IAM', 'X-Ray'];
  expect([...shown].sort()).toEqual(servicesOf({}).filter((service) => !others.includes(service)));
});
