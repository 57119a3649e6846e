import type { AdapterText } from '../measure/adapter.ts';
import { runPython } from './shared/program.ts';

interface Parts {
  readonly member?: string;
  readonly app?: string;
  readonly after?: string;
}

const program = ({ member = 'name: str', app = '', after = '' }: Parts): string => `
import json
from fastapi import FastAPI, Security
from fastapi.security import HTTPBearer
from pydantic import BaseModel, Field

class Plant(BaseModel):
    ${member}

app = FastAPI(title='Plants', version='1'${app})

@app.put('/plant')
def set_plant(plant: Plant) -> Plant:
    return plant
${after}
print(json.dumps(app.openapi()))
`;

const webhook = `
@app.webhooks.post('plantCreated', summary='A plant was created')
def plant_created(plant: Plant):
    pass
`;

export const tool: AdapterText = {
  name: 'FastAPI',
  kind: 'producer',
  language: 'Python',
  registry: 'pypi',
  package: 'fastapi',
  version: '0.165.0',
  homepage: 'https://fastapi.tiangolo.com/',
  tracker: 'https://github.com/fastapi/fastapi/issues',
  notes: [
    'A token for all operations is a dependency of the application, of which an operation cannot be an exception.',
  ],
  abilities: {
    produce: runPython({
      'type-arrays': program({ member: 'tag: str | None' }),
      'prefix-items': program({ member: 'spot: tuple[int, str]' }),
      'exclusive-minimum': program({ member: 'leaves: int = Field(gt=0)' }),
      webhooks: program({ after: webhook }),
      info: program({ app: ", summary='All plants'" }),
    }),
  },
};
