import createClient from 'openapi-fetch';
import { type FormEvent, useEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { settings } from '../clients/settings.ts';
import { exactFetch } from '../exact-json.ts';
import type { paths } from '../generated/openapi-typescript.ts';
import { type Followed, followPlants, type Plant } from './follow-plants.ts';

const api = createClient<paths>({
  baseUrl: settings.url,
  headers: { authorization: `Bearer ${settings.token}` },
  fetch: exactFetch,
});

const App = () => {
  const [{ plants, problem }, setFollowed] = useState<Followed>({});
  useEffect(() => {
    const unmounted = new AbortController();
    const follow = async () => {
      for await (const followed of followPlants(unmounted.signal)) setFollowed(followed);
    };
    void follow();
    return () => unmounted.abort();
  }, []);
  return (
    <main>
      {problem !== undefined && <p role="alert">The plants are not up to date ({problem || 'no connection'}).</p>}
      {plants ? [...plants.values()].map((plant) => <Row key={plant.id} plant={plant} />) : <p>Loading …</p>}
    </main>
  );
};

const Row = ({ plant: { id, name } }: { readonly plant: Plant }) => {
  const [version, setVersion] = useState<string | null>(null);
  const [message, setMessage] = useState('');
  /** The version that the user sees when the edit begins. A list has none. */
  const begin = async () => {
    const { response } = await api.GET('/plants/{id}', { params: { path: { id } } });
    setVersion(response.headers.get('etag'));
  };
  const save = async (submitted: FormEvent<HTMLFormElement>) => {
    submitted.preventDefault();
    const body = { id, name: `${new FormData(submitted.currentTarget).get('name')}` };
    const header = { 'If-Match': version ?? '' };
    const { error } = await api.PATCH('/plants/{id}', { params: { path: { id }, header }, body });
    setMessage(error?.error === 41200 ? 'Somebody else has changed it.' : (error?.message ?? ''));
    setVersion(null);
  };
  return version === null ? (
    <p data-id={id}>
      <span>{name}</span>
      <button type="button" onClick={begin}>
        Rename
      </button>
      {message}
    </p>
  ) : (
    <form data-id={id} onSubmit={save}>
      <input name="name" aria-label="Name" defaultValue={name} />
      <button type="submit">Save</button>
    </form>
  );
};

createRoot(document.body.appendChild(document.createElement('div'))).render(<App />);
