/** The parts of a multipart body, as a recorded request has them. */
import { expect, test } from 'bun:test';
import { partsOf } from './multipart.ts';
import { record } from './recorder.ts';

const lines = (...all: readonly string[]): string => all.join('\r\n');

test('a part has its name, its media type and its value, in the order of the names', () => {
  const body = lines(
    '--b',
    'Content-Type: text/plain; charset=utf-8',
    'Content-Disposition: form-data; name="title"',
    '',
    'Ferns',
    '--b',
    'content-type: text/csv',
    'content-disposition: form-data; name="rows"; filename="blob"',
    '',
    'a,b',
    '',
    '--b--',
    '',
  );
  const parts = [
    { name: 'rows', contentType: 'text/csv', value: 'a,b\r\n' },
    { name: 'title', value: 'Ferns' },
  ];
  expect(partsOf('multipart/form-data; boundary=b', body)).toEqual(parts);
  expect(partsOf('multipart/form-data; boundary="b"', body.replaceAll('\r\n', '\n'))).toEqual([
    { name: 'rows', contentType: 'text/csv', value: 'a,b\n' },
    { name: 'title', value: 'Ferns' },
  ]);
});

test('any other body has no parts', () => {
  expect(partsOf('application/json', '{}')).toBeUndefined();
});

test('a recorded form has no boundary, and brackets in a query are percent-encoded', async () => {
  const form = new FormData();
  form.set('rows', new Blob(['a,b'], { type: 'text/csv' }));
  const request = new Request('http://localhost/', { method: 'POST', body: form });
  expect(await record(request, '/?filter[a]=b|c')).toMatchObject({
    target: '/?filter%5Ba%5D=b%7Cc',
    contentType: 'multipart/form-data',
    body: '[{"name":"rows","contentType":"text/csv","value":"a,b"}]',
  });
});
