import type { Context } from 'aws-lambda';
import { type ClockSource, monotonicMs } from '../../shared/core/monotonic-clock.ts';

/** The context that Lambda passes to a function. */
export function lambdaContext(
  functionName: string,
  requestId: string,
  timeoutMs: number,
  timed: ClockSource = {},
): Context {
  const end = monotonicMs(timed) + timeoutMs;
  const ignored = () => undefined;
  return {
    callbackWaitsForEmptyEventLoop: false,
    functionName,
    functionVersion: '$LATEST',
    invokedFunctionArn: `arn:aws:lambda:local:000000000000:function:${functionName}`,
    memoryLimitInMB: '256',
    awsRequestId: requestId,
    logGroupName: functionName,
    logStreamName: 'local',
    getRemainingTimeInMillis: () => Math.max(0, end - monotonicMs(timed)),
    done: ignored,
    fail: ignored,
    succeed: ignored,
  };
}
