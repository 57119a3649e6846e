/** The engine as the program loads it. */
import type { Engine } from '../store/engine.ts';
import { openExclusivePostgres } from './copy.ts';
import { parsePostgresUrl, showPostgresUrl } from './driver/url.ts';
import { openPostgresStore } from './open.ts';
import { addressesOf } from './session/address.ts';

export const engine: Engine = {
  parse: (url) => {
    const target = parsePostgresUrl(url);
    return {
      engine: 'postgres',
      system: 'postgresql',
      name: showPostgresUrl(target),
      isOneServer: target.hosts.length === 1,
      open: ({ isReadOnly = false, ...options }) => openPostgresStore(addressesOf({ ...target, isReadOnly }), options),
      openExclusive: async (options) => openExclusivePostgres(addressesOf(target), options),
    };
  },
};
