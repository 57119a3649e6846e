/** The parameters of the document, made of the schemas that validate them. */
import { type TObject, Type } from '@sinclair/typebox';
import { IfMatch } from '../conditional.ts';
import { DeliveryPath } from '../deliveries/schemas.ts';
import { limitOf } from '../paging.ts';
import { PlantPath } from '../plants/schemas.ts';
import { toSubschema } from '../schema/shape.ts';

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
    const { name, description } = parameter;
    const shared = parameters[name];
    if (!Bun.deepEquals({ ...shared, description }, parameter)) return parameter;
    return {
      $ref: `#/components/parameters/${name}`,
      ...(description !== shared?.description && { description }),
    };
  });
