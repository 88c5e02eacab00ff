import type { Context } from 'aws-lambda';

/** The context that Lambda passes to a function. */
export function lambdaContext(functionName: string, requestId: string, timeoutMs: number): Context {
  const end = Date.now() + timeoutMs;
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
    getRemainingTimeInMillis: () => Math.max(0, end - Date.now()),
    done: ignored,
    fail: ignored,
    succeed: ignored,
  };
}
