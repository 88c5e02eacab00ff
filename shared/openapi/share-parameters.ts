import { mapOperations } from './operations.ts';
import type { OpenApiDocument, Parameter, Reference } from './specification.ts';

/** Moves each parameter that several operations have to `components`, named after the parameter and its place. */
export function shareParameters(whole: OpenApiDocument): OpenApiDocument {
  const document = mapOperations(whole, (operation) =>
    operation.parameters === undefined
      ? operation
      : { ...operation, parameters: operation.parameters.map((one) => ('$ref' in one ? one : brief(one))) },
  );
  const uses = new Map<string, number>();
  for (const parameter of parametersOf(document)) {
    const text = JSON.stringify(parameter);
    uses.set(text, (uses.get(text) ?? 0) + 1);
  }
  const repeated = [...uses].filter(([, count]) => count > 1).toSorted(([, left], [, right]) => right - left);
  const names = new Map<string, string>();
  const parameters = Object.fromEntries(
    Object.entries(document.components.parameters).map(([name, parameter]) => [name, brief(parameter)]),
  );
  for (const [text] of repeated) {
    const parameter = parametersOf(document).find((one) => JSON.stringify(one) === text);
    if (parameter === undefined) continue;
    const plain = `${parameter.name}_in_${parameter.in}`;
    const numbered = repeated.map((_, index) => `${plain}_${index + 2}`);
    const name = [plain, ...numbered].find((one) => !Object.hasOwn(parameters, one)) ?? plain;
    parameters[name] = parameter;
    names.set(text, name);
  }
  const shorten = (parameter: Parameter | Reference): Parameter | Reference => {
    const name = names.get(JSON.stringify(parameter));
    return name === undefined ? parameter : { $ref: `#/components/parameters/${name}` };
  };
  return mapOperations({ ...document, components: { ...document.components, parameters } }, (operation) =>
    operation.parameters === undefined ? operation : { ...operation, parameters: operation.parameters.map(shorten) },
  );
}

/** Omits `required: false`, which is the default. */
function brief(parameter: Parameter): Parameter {
  if (parameter.required === true) return parameter;
  const { required: _, ...rest } = parameter;
  return rest;
}

function parametersOf({ paths }: OpenApiDocument): Parameter[] {
  return Object.values(paths)
    .flatMap((operations) => Object.values(operations))
    .flatMap(({ parameters = [] }) => parameters.flatMap((one) => ('$ref' in one ? [] : [one])));
}
