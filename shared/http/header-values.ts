import type { APIGatewayProxyEvent } from 'aws-lambda';

/** All values of a header; the name is case-insensitive. A header that is sent twice has two. */
export function headerValues(
  { multiValueHeaders }: Pick<APIGatewayProxyEvent, 'multiValueHeaders'>,
  header: string,
): string[] {
  const wanted = header.toLowerCase();
  const values: string[] = [];
  for (const name in multiValueHeaders)
    if (name.length === wanted.length && name.toLowerCase() === wanted) values.push(...(multiValueHeaders[name] ?? []));
  return values;
}
