import type { CloudFormationCustomResourceResponse } from 'aws-lambda';

/**
 * Sends the reply of a custom resource to CloudFormation, by a URL that is presigned for a request without a content type.
 * If the reply is lost, the deployment waits until the timeout of the resource.
 */
export async function answerCloudFormation(url: string, response: CloudFormationCustomResourceResponse): Promise<void> {
  const { ok, status } = await fetch(url, {
    method: 'PUT',
    headers: { 'content-type': '' },
    body: Buffer.from(JSON.stringify(response)),
  });
  if (!ok) throw new Error(`CloudFormation refused the response: ${status}`);
}
