import {
  CfnAuthorizer,
  CfnGatewayResponse,
  CfnMethod,
  type CfnRestApi,
  type SpecRestApi,
} from 'aws-cdk-lib/aws-apigateway';
import { Construct } from 'constructs';
import {
  ANY_METHOD,
  type ApiDocument,
  AUTHORIZER,
  type Operation,
  type PathItem,
} from '../../infra/gateway/api-definition.ts';

/**
 * Takes the named parts out of an object, all of which must be known: whatever is not deployed to the emulator would be
 * missed by its tests.
 */
function only<Part extends object>(part: Part, ...handledKeys: readonly (keyof Part)[]): Part {
  const others = Object.keys(part).filter((name) => !handledKeys.some((handled) => handled === name));
  if (others.length > 0) throw new Error(`The emulator would not get ${others.join(', ')} of the definition.`);
  return part;
}

function addMethods(api: SpecRestApi, path: string, item: PathItem, authorizer: CfnAuthorizer): void {
  const resource = api.root.resourceForPath(path);
  for (const [name, operation] of Object.entries(item)) {
    const { security, 'x-amazon-apigateway-integration': integration }: Operation = only(
      operation,
      ...(['parameters', 'responses', 'security', 'x-amazon-apigateway-integration'] as const),
    );
    const { uri, credentials } = only(integration, 'type', 'httpMethod', 'uri', 'credentials');
    const httpMethod = name === ANY_METHOD ? 'ANY' : name.toUpperCase();
    const method = new CfnMethod(new Construct(resource, httpMethod), 'Resource', {
      restApiId: api.restApiId,
      resourceId: resource.resourceId,
      httpMethod,
      ...(security === undefined
        ? { authorizationType: 'NONE' }
        : { authorizationType: 'CUSTOM', authorizerId: authorizer.ref }),
      integration: { type: 'AWS_PROXY', integrationHttpMethod: integration.httpMethod, uri, credentials },
    });
    api.latestDeployment?.node.addDependency(method);
  }
}

function addAuthorizer(api: SpecRestApi, { components }: ApiDocument): CfnAuthorizer {
  const { [AUTHORIZER]: scheme } = only(only(components, 'securitySchemes').securitySchemes, AUTHORIZER);
  const { type, authorizerUri, authorizerCredentials, identitySource, authorizerResultTtlInSeconds } = only(
    scheme['x-amazon-apigateway-authorizer'],
    ...(['type', 'authorizerUri', 'authorizerCredentials', 'identitySource', 'authorizerResultTtlInSeconds'] as const),
  );
  return new CfnAuthorizer(new Construct(api, 'Authorizer'), 'Resource', {
    restApiId: api.restApiId,
    name: AUTHORIZER,
    type: type.toUpperCase(),
    authorizerUri,
    authorizerCredentials,
    identitySource,
    authorizerResultTtlInSeconds,
  });
}

/**
 * Replaces the definition of a gateway by resources that are the same. Importing a definition, MiniStack 1.5.33 passes over the replies
 * of the gateway, ANY methods and credentials, and a changed definition makes a new gateway with another address.
 */
export function expandDefinition(api: SpecRestApi, definition: CfnRestApi): void {
  const document = definition.body as ApiDocument;
  const {
    paths,
    'x-amazon-apigateway-minimum-compression-size': minimumCompressionSize,
    'x-amazon-apigateway-binary-media-types': binaryMediaTypes,
    'x-amazon-apigateway-gateway-responses': replies,
  } = only(
    document,
    ...(['openapi', 'info', 'paths', 'components'] as const),
    // The resource has these two as properties.
    'x-amazon-apigateway-security-policy',
    'x-amazon-apigateway-endpoint-access-mode',
    'x-amazon-apigateway-minimum-compression-size',
    'x-amazon-apigateway-binary-media-types',
    'x-amazon-apigateway-gateway-responses',
  );
  Object.assign(definition, { body: undefined, mode: undefined, minimumCompressionSize, binaryMediaTypes });
  const authorizer = addAuthorizer(api, document);
  for (const [path, item] of Object.entries(paths)) addMethods(api, path, item, authorizer);
  for (const [responseType, reply] of Object.entries(replies)) {
    const { statusCode, responseParameters, responseTemplates } = only(
      reply,
      ...(['statusCode', 'responseParameters', 'responseTemplates'] as const),
    );
    const response = new CfnGatewayResponse(new Construct(api, responseType), 'Resource', {
      restApiId: api.restApiId,
      responseType,
      statusCode,
      responseParameters,
      responseTemplates,
    });
    api.latestDeployment?.node.addDependency(response);
  }
}
