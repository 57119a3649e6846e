import { defineConfig } from '@kubb/core';
import { pluginClient } from '@kubb/plugin-client';
import { pluginOas } from '@kubb/plugin-oas';
import { pluginTs } from '@kubb/plugin-ts';

export default defineConfig({
  input: { path: './generated/openapi.json' },
  output: { path: './generated/kubb', clean: true, barrelType: false, format: false, lint: false },
  plugins: [
    pluginOas({ generators: [] }),
    pluginTs({ output: { path: 'types.ts', barrelType: false } }),
    pluginClient({
      output: { path: 'clients.ts', barrelType: false },
      importPath: '../../clients/kubb-fetch.ts',
      dataReturnType: 'full',
    }),
  ],
});
