import { Type } from 'typebox'
import type { Operation } from '../operation.ts'
import { errorsOf } from './access.ts'

const shared = {
  tag: 'Documentation',
  method: 'GET',
  access: 'public',
  takesIdempotencyKey: false,
  errors: errorsOf('public'),
} as const

export const documentOperations: Operation[] = [
  {
    ...shared,
    id: 'docs.openapi',
    path: '/openapi.json',
    summary: 'Read the OpenAPI document',
    responses: [
      {
        status: 200,
        description: 'This document.',
        contentType: 'application/json',
        schema: Type.Object({ openapi: Type.String({ pattern: '^3\\.1\\.' }) }),
        example: { openapi: '3.1.1' },
        headers: ['ETag'],
      },
    ],
  },
  {
    ...shared,
    id: 'docs.llms',
    path: '/llms.txt',
    summary: 'Read the contract as plain text',
    description: 'Everything a program needs to use this API, in one text file.',
    responses: [
      {
        status: 200,
        description: 'The contract as text.',
        contentType: 'text/plain',
        schema: Type.String({ minLength: 1 }),
        example: '# API Relay Gateway',
        headers: ['ETag'],
      },
    ],
  },
  {
    ...shared,
    id: 'docs.page',
    path: '/docs',
    summary: 'Read the documentation page',
    responses: [
      {
        status: 200,
        description: 'The reference for people.',
        contentType: 'text/html',
        schema: Type.String({ minLength: 1 }),
        example: '<!doctype html>',
        headers: ['ETag'],
      },
    ],
  },
]
