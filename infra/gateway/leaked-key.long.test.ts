import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resourceAt, resourcesOf, synthesise } from '../synthesis/synthesise.ts';
import { fencedBlocks } from '../../tests/support/fenced-blocks.ts';

const template = synthesise({ reportEndpoint: 'http' });
const stageName = String(resourceAt(template, 'Reports/Stage').properties['StageName']);

describe('the commands of the article on a leaked key', () => {
  const article = readFileSync(new URL('../../docs/maintenance.md', import.meta.url), 'utf8').split(
    '**A leaked key**',
  )[1]!;
  const [commands = ''] = fencedBlocks(article, 'sh');

  /** The calls that change something, with this answer for the APIs of each kind. */
  const callsWith = (apis: Readonly<Record<string, string>>) => {
    const answers = Object.entries(apis).map(([type, id]) => `*"'${type}'"*) echo '${id}' ;;`);
    const aws = `aws() { case "$*" in ${answers.join(' ')} *get-stages*) echo live ;; *) echo "$*" ;; esac; }`;
    return execFileSync('bash', ['-euc', `${aws}\nSTACK=Inventory\n${commands}`], { encoding: 'utf8' })
      .trim()
      .split('\n');
  };
  const ofRest = 'apigateway flush-stage-authorizers-cache --rest-api-id rest --stage-name live';

  test('flush the cache of every API that has one', () => {
    const withCaches = resourcesOf(template).filter(({ properties }) =>
      JSON.stringify(properties['Body'] ?? {}).includes('authorizerResultTtlInSeconds'),
    );
    expect(withCaches.map(({ type }) => type).sort()).toEqual(['AWS::ApiGateway::RestApi', 'AWS::ApiGatewayV2::Api']);
    expect(callsWith({ 'AWS::ApiGateway::RestApi': 'rest', 'AWS::ApiGatewayV2::Api': 'http' })).toEqual([
      ofRest,
      `apigatewayv2 reset-authorizers-cache --api-id http --stage-name ${stageName}`,
    ]);
  });

  test('succeed without an API for reports', () => {
    expect(callsWith({ 'AWS::ApiGateway::RestApi': 'rest', 'AWS::ApiGatewayV2::Api': '' })).toEqual([ofRest]);
  });
});
