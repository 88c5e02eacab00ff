import type { APIGatewayProxyEvent } from 'aws-lambda';

/** All values of a header; the name is case-insensitive. A header that is sent twice has two. */
export function headerValues(
  { multiValueHeaders }: Pick<APIGatewayProxyEvent, 'multiValueHeaders'>,
  header: string,
): string[] {
  return Object.entries(multiValueHeaders).flatMap(([name, values = []]) =>
    name.toLowerCase() === header.toLowerCase() ? values : [],
  );
}
