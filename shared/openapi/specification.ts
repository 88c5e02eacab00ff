import type { MediaType } from '../core/format.ts';
import type { JsonSchema } from './schemas.ts';

/** The parts of OpenAPI 3.1 that this document uses: https://spec.openapis.org/oas/v3.1.1.html */
export interface OpenApiDocument {
  openapi: string;
  info: Info;
  servers: readonly Server[];
  security: readonly Record<string, readonly string[]>[];
  tags: readonly Tag[];
  paths: Record<string, Record<string, Operation>>;
  components: {
    securitySchemes: Record<string, { type: 'http'; scheme: string; bearerFormat?: string; description: string }>;
    parameters: Record<string, Parameter>;
    headers: Record<string, Header>;
    responses: Record<string, Response>;
    schemas: Record<string, JsonSchema>;
  };
}

export interface Info {
  title: string;
  version: string;
  summary?: string;
  description: string;
  contact?: { name: string; url?: string };
  license: { name: string; identifier: string };
}

export interface Server {
  url: string;
  description: string;
}

export interface Tag {
  name: string;
  description: string;
}

export interface Reference {
  $ref: string;
}

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  description: string;
  required?: boolean;
  schema: JsonSchema;
  example?: unknown;
}

export interface Header {
  description: string;
  schema: JsonSchema;
  example?: unknown;
}

export interface Medium {
  schema: JsonSchema;
  example?: unknown;
  examples?: Record<string, { summary: string; value: unknown }>;
}

/** The medium of a body, by its media type. */
export type Content = Partial<Record<MediaType, Medium>>;

export interface Response {
  description: string;
  headers?: Record<string, Header | Reference>;
  content?: Content;
}

/** Extensions of the specification: tools compare them as plain values. */
export type Extensions = { [name: `x-${string}`]: string | true | undefined };

export interface Operation extends Extensions {
  operationId: string;
  tags: [string];
  summary: string;
  description: string;
  /** The minimum role; `none`: no credentials are needed. */
  'x-role': string;
  deprecated?: true;
  /** The first day on which a deprecated operation may be removed. */
  'x-sunset'?: string;
  security?: OpenApiDocument['security'];
  parameters?: (Parameter | Reference)[];
  requestBody?: { required: true; description?: string; content: Content };
  responses: Record<string, Response | Reference>;
}
