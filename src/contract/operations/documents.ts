import { Type } from '../../base/schema.ts'
import { documentResponse, type ResponseRow } from '../operation.ts'
import { view } from './access.ts'

const shared = { tag: 'Documentation', access: 'public' } as const
const text = (row: Pick<ResponseRow, 'description' | 'contentType' | 'example'>): ResponseRow => ({
  ...row,
  status: 200,
  schema: Type.String({ minLength: 1 }),
  headers: ['ETag'],
})

export const documentOperations = [
  view({
    ...shared,
    id: 'docs.openapi',
    path: '/openapi.json',
    summary: 'Read the OpenAPI document',
    response: documentResponse,
  }),
  view({
    ...shared,
    id: 'docs.llms',
    path: '/llms.txt',
    summary: 'Read the contract as plain text',
    description: 'Everything a program needs to use this API, in one text file.',
    response: text({
      description: 'The contract as text.',
      contentType: 'text/plain',
      example: '# API Relay Gateway',
    }),
  }),
  view({
    ...shared,
    id: 'docs.page',
    path: '/docs',
    summary: 'Read the documentation page',
    response: text({
      description: 'The human-readable reference.',
      contentType: 'text/html',
      example: '<!doctype html>',
    }),
  }),
]
