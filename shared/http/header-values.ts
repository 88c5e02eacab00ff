import type { APIGatewayProxyEvent } from 'aws-lambda';

/** Every value of a header, in any case of its name: a header that is sent twice has two. */
export function headerValues({ multiValueHeaders }: APIGatewayProxyEvent, header: string): string[] {
  return Object.entries(multiValueHeaders).flatMap(([name, values = []]) =>
    name.toLowerCase() === header.toLowerCase() ? values : [],
  );
}
