/** The parameters of the document, made of the schemas that validate them. */
import { type TObject, Type } from '@sinclair/typebox';
import { DeliveryPath } from '../schemas/deliveries.ts';
import { IfMatch } from '../schemas/headers.ts';
import { limitOf } from '../schemas/pages.ts';
import { PlantPath } from '../schemas/plants.ts';
import { toSubschema } from '../schemas/shape.ts';

type Place = 'path' | 'query' | 'header';

/** A parameter for each property; its description moves to where OpenAPI wants it. What has a default may be left out. */
const inlineParametersOf = (place: Place, { properties, required = [] }: TObject) =>
  Object.entries(properties).map(([name, property]) => {
    const { description, ...schema } = toSubschema(property);
    const isRequired = required.includes(name) && property.default === undefined;
    return { name, in: place, ...(isRequired && { required: true }), description, schema };
  });

/** Those that the document shares, under their own names. */
export const parameters = Object.fromEntries(
  [
    ...inlineParametersOf('path', PlantPath),
    ...inlineParametersOf('path', DeliveryPath),
    ...inlineParametersOf('query', Type.Object({ limit: limitOf('items') })),
    ...inlineParametersOf('header', IfMatch),
  ].map((parameter) => [parameter.name, parameter]),
);

/** The parameters of an operation: shared ones by reference, with a description of their own where they have one. */
export const parametersOf = (place: Place, schema: TObject) =>
  inlineParametersOf(place, schema).map((parameter) => {
    const shared = parameters[parameter.name];
    if (!shared) return parameter;
    const { description } = parameter;
    if (!Bun.deepEquals({ ...shared, description }, parameter))
      throw new Error(`The parameter ${parameter.name} is not the shared one.`);
    return {
      $ref: `#/components/parameters/${parameter.name}`,
      ...(description !== shared.description && { description }),
    };
  });
