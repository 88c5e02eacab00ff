import type { APIGatewayAuthorizerResult, APIGatewayRequestAuthorizerEvent } from 'aws-lambda';
import { refusalMessages } from '../../../shared/auth/refusal-messages.ts';
import { callerToContext } from '../../contract/caller.ts';
import { inTime } from '../../../shared/core/deadline.ts';
import { requestIdOf } from '../../../shared/http/request-id.ts';
import { sourceAddressOf } from '../../../shared/http/source-address.ts';
import { type Dependencies, createDependencies as servicesOfProcess } from '../../runtime/dependencies.ts';
import { recordRefusal } from '../../store/audit/refusals.ts';
import { createAccountSecrets, readSecret } from './account-secret.ts';
import { authenticate, type Outcome, type VersionOf, versionInTable } from './authenticate.ts';
import type { CheckPassword } from './check-password.ts';

/** In addition to the time of the function itself. */
const DEADLINE_MS = 5000;

/** Enough for a successful write; the refusal does not wait longer to be recorded. */
const NOTE_REFUSAL_MS = 500;

/** The audit event of each refusal. A call without credentials is not recorded. */
const noted = {
  invalid: { event: 'api_key.refused', reason: 'invalid_key' },
  expired: { event: 'api_key.refused', reason: 'expired_key' },
  password: { event: 'sign_in.refused', reason: 'wrong_password' },
} as const;

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

async function note(
  { refusal, subject }: Extract<Outcome, { refusal: unknown }>,
  event: APIGatewayRequestAuthorizerEvent,
  dependencies: Dependencies,
): Promise<void> {
  const requestId = requestIdOf(event);
  const sourceIp = sourceAddressOf(event);
  dependencies.log({
    level: 'info',
    message: 'credentials refused',
    request_id: requestId,
    reason: refusal,
    source_ip: sourceIp,
  });
  if (refusal === 'missing') return;
  await recordRefusal(dependencies, { ...noted[refusal], subject, sourceIp, requestId }, NOTE_REFUSAL_MS);
}

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
    const presented = { headers: authorizationHeaders(event), sourceIp: sourceAddressOf(event) };
    const outcome = await inTime(dependencies.table, DEADLINE_MS, () =>
      authenticate(presented, dependencies, { checkPassword, versionOf }),
    );
    const allowed = 'caller' in outcome;
    if (!allowed) await note(outcome, event, dependencies);
    return {
      principalId: allowed ? outcome.caller.keyId : 'nobody',
      policyDocument: {
        Version: '2012-10-17',
        Statement: [
          { Action: 'execute-api:Invoke', Effect: allowed ? 'Allow' : 'Deny', Resource: wholeStage(event.methodArn) },
        ],
      },
      context: allowed ? callerToContext(outcome.caller) : { message: refusalMessages[outcome.refusal] },
    };
  };
}

const secrets = createAccountSecrets(readSecret);

export const handler = createAuthorizer(servicesOfProcess, secrets.check, secrets.versionOf);
