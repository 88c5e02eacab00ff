import type { APIGatewayProxyEvent } from 'aws-lambda';
import { isRecord } from '../../../shared/db/item.ts';
import { isCompressed } from '../../../shared/http/content-type.ts';
import { checkUtf8, jsonIn, malformedJson, textOf } from '../../../shared/http/json-body.ts';
import { type Fields, overlaid } from './input.ts';

/** The object in the body. An absent body is an empty object, as in PMM. */
function bodyOf(event: APIGatewayProxyEvent): Fields {
  if ((event.body ?? '') !== '' && isCompressed(event.headers['content-encoding']))
    throw malformedJson('The body is compressed (Content-Encoding). Send it without compression.');
  checkUtf8(event);
  const text = textOf(event);
  if (text.trim() === '') return {};
  const value = jsonIn(text);
  if (!isRecord(value)) throw malformedJson('The body is not a JSON object.');
  return value;
}

/** The parameters of a query; of a repeated one the last. */
function queryOf({ multiValueQueryStringParameters: parameters }: APIGatewayProxyEvent): Fields {
  return Object.fromEntries(Object.entries(parameters ?? {}).map(([name, values]) => [name, values?.at(-1)]));
}

/** Everything that a request says: PMM 2 has ids and filters in the body, PMM 3 in path and query. */
export function readInput(event: APIGatewayProxyEvent, params: Fields): Fields {
  const body = ['POST', 'PUT', 'PATCH'].includes(event.httpMethod) ? bodyOf(event) : {};
  return overlaid(overlaid(body, queryOf(event)), params);
}
