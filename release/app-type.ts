/**
 * The type of the app as the npm package declares it, for clients by Eden. tsc writes it out as plain objects, without the schemas that it
 * is made from. So a project needs only Elysia beside it, as for Eden itself.
 */
import type { Elysia } from 'elysia';
import type { operations } from '../src/app/app.ts';
import type { RoutesOf } from '../src/http/plugin.ts';

type Plain<Type> = Type extends object ? { [Member in keyof Type]: Plain<Type[Member]> } : Type;

declare const documented: Plain<RoutesOf<typeof operations>>;

/** The compiler writes out the type of an expression, and only the name of a type that is named. */
const routes = { ...documented };

export type App = Elysia & { '~Routes': typeof routes };
