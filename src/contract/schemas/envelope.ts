import { Type } from 'typebox'
import { Choice, closed, request } from '../field.ts'

export const ErrorEnvelope = (codes: readonly string[]) =>
  closed({
    error: closed({
      code: Choice(codes, { description: 'Rely on the code, never on the message.' }),
      message: Type.String({ minLength: 1 }),
    }),
  })

/** 202: the outcome is uncertain and the credits stay reserved. */
export const ManualReview = (operation: string) =>
  closed({
    status: Type.Literal('manual_review'),
    operation: Type.Literal(operation),
    reservedCredits: Type.Integer({ minimum: 0, description: 'Credits that stay reserved until an operator decides.' }),
    chargeId: Type.String({ pattern: '^chg_[A-Za-z0-9]+$', description: 'Quote it when you contact the operator.' }),
    resolution: Type.Optional(Type.Literal('settled', { description: 'Present once an operator settled the charge.' })),
  })

export const EmptyRequest = () => request('EmptyRequest', {})
