import { isUtf8 } from 'node:buffer';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { isCompressed } from '../../../shared/http/content-type.ts';
import { isRecord } from '../../../shared/db/item.ts';
import { invalidRequest } from '../../../shared/core/errors.ts';
import { wrongInJsonText } from '../../../shared/http/json-text.ts';
import { MAX_NESTING, notJson } from '../../../shared/http/parse-request.ts';
import { type Fields, overlaid } from './input.ts';

const wrong = (message: string) => invalidRequest([{ field: '', reason: 'malformed_json', message }]);

/** The object in the body. An absent body is an empty object, as in PMM. */
function bodyOf({ body, isBase64Encoded, headers }: APIGatewayProxyEvent): Fields {
  const bytes = Buffer.from(body ?? '', isBase64Encoded ? 'base64' : 'utf8');
  if (bytes.length > 0 && isCompressed(headers['content-encoding']))
    throw wrong('The body is compressed (Content-Encoding). Send it without compression.');
  if (!isUtf8(bytes)) throw wrong('The body is not valid UTF-8.');
  const text = bytes.toString();
  if (text.trim() === '') return {};
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw notJson();
  }
  const violations = wrongInJsonText(text, { maxNesting: MAX_NESTING });
  if (violations.length > 0) throw invalidRequest(violations);
  if (!isRecord(value)) throw wrong('The body is not a JSON object.');
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
