import type { APIGatewayProxyEvent } from 'aws-lambda';
import { isRecord } from '../../../shared/db/item.ts';
import { isCompressed } from '../../../shared/http/content-type.ts';
import { malformedJson, validTextOf } from '../../../shared/http/json-body.ts';
import { type Fields, overlaid } from './input.ts';

const NO_FIELDS = '{}';

/** The JSON text of the body. An absent body is an empty object, as in PMM. */
export function jsonTextOf(event: APIGatewayProxyEvent): string {
  if (!['POST', 'PUT', 'PATCH'].includes(event.httpMethod)) return NO_FIELDS;
  if ((event.body ?? '') !== '' && isCompressed(event.headers['content-encoding']))
    throw malformedJson('The body is compressed (Content-Encoding). Send it without compression.');
  const text = validTextOf(event);
  return text.trim() === '' ? NO_FIELDS : text;
}

/** The parameters of a query; of a repeated one the last. */
function queryOf({ multiValueQueryStringParameters: parameters }: APIGatewayProxyEvent): Fields {
  return Object.fromEntries(Object.entries(parameters ?? {}).map(([name, values]) => [name, values?.at(-1)]));
}

/** Everything that a request says: PMM 2 has ids and filters in the body, PMM 3 in path and query. */
export function readInput(event: APIGatewayProxyEvent, body: unknown, params: Fields): Fields {
  if (!isRecord(body)) throw malformedJson('The body is not a JSON object.');
  return overlaid(overlaid(body, queryOf(event)), params);
}
