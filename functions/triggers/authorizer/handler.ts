import type { APIGatewayAuthorizerResult, APIGatewayRequestAuthorizerEvent } from 'aws-lambda';
import { callerToContext, refusalToContext } from '../../contract/caller.ts';
import { reportPaths } from '../../contract/report-paths.ts';
import { inTime } from '../../../shared/core/deadline.ts';
import { requestIdOf } from '../../../shared/http/request-id.ts';
import { sourceAddressOf } from '../../../shared/http/source-address.ts';
import { type Dependencies, createDependencies as servicesOfProcess } from '../../runtime/dependencies.ts';
import { noteRefusedCredential } from '../../runtime/refused-credential.ts';
import { createAccountSecrets, readSecret } from './account-secret.ts';
import { authenticate, type VersionOf, versionInTable } from './authenticate.ts';
import type { CheckPassword } from '../../../shared/auth/check-password.ts';

/** In addition to the time of the function itself. */
const DEADLINE_MS = 5000;

export type Authorizer = (event: APIGatewayRequestAuthorizerEvent) => Promise<APIGatewayAuthorizerResult>;

function authorizationHeaders(event: APIGatewayRequestAuthorizerEvent): string[] {
  return Object.entries(event.multiValueHeaders ?? {}).flatMap(([name, values]) =>
    name.toLowerCase() === 'authorization' ? (values ?? []) : [],
  );
}

/**
 * `arn:aws:execute-api:region:account:api/stage/*`: the gateway caches one reply of the authorizer for all routes of
 * the stage.
 */
function wholeStage(methodArn: string): string {
  // Paths may contain colons and slashes, so only the first of each are separators.
  const [arn, partition, service, region, account, ...resource] = methodArn.split(':');
  const [api, stage] = resource.join(':').split('/');
  return `${[arn, partition, service, region, account].join(':')}:${api}/${stage}/*`;
}

/**
 * Whether an HTTP API asks. It replies to a denial with 403 and a body of its own, without the reason. Therefore it gets
 * a context without a caller instead, with which every function refuses the request with 401 and the reason.
 */
const isOfHttpApi = (event: APIGatewayRequestAuthorizerEvent) => 'version' in event && event.version === '1.0';

/**
 * The REQUEST authorizer: identifies the caller. The function of each endpoint checks the caller's role. For an invalid
 * credential it returns Deny with the reason in the context, which the gateway response ACCESS_DENIED contains. A fault
 * throws, which also refuses the call.
 */
export function createAuthorizer(
  servicesOf: () => Dependencies,
  checkPassword: CheckPassword,
  versionOf: VersionOf = versionInTable,
): Authorizer {
  return async (event) => {
    const dependencies = servicesOf();
    const presented = {
      headers: authorizationHeaders(event),
      sourceIp: sourceAddressOf(event),
      reports: reportPaths.includes(event.resource),
    };
    const outcome = await inTime(dependencies.table, DEADLINE_MS, () =>
      authenticate(presented, dependencies, { checkPassword, versionOf }),
    );
    const allowed = 'caller' in outcome;
    if (!allowed) {
      const from = { sourceIp: sourceAddressOf(event), requestId: requestIdOf(event) };
      await noteRefusedCredential(outcome, from, dependencies);
    }
    const passes = allowed || isOfHttpApi(event);
    return {
      principalId: allowed ? outcome.caller.keyId : 'nobody',
      policyDocument: {
        Version: '2012-10-17',
        Statement: [
          { Action: 'execute-api:Invoke', Effect: passes ? 'Allow' : 'Deny', Resource: wholeStage(event.methodArn) },
        ],
      },
      context: allowed ? callerToContext(outcome.caller) : refusalToContext(outcome.refusal),
    };
  };
}

const secrets = createAccountSecrets(readSecret);

export const handler = createAuthorizer(servicesOfProcess, secrets.check, secrets.versionOf);
