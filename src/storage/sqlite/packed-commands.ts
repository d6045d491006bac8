import type { Admit, Command, Credit, End, Result } from '../../ledger/commands.ts'

/**
 * Batches on their way between the threads, as one flat list of values each: a copy of objects costs three times as much,
 * most of it for the names of their fields. Both directions of a command stand together here, in the same order.
 */
export type PackedCommands = unknown[]
export type PackedResults = unknown[]

export function packCommands(commands: readonly Command[]): PackedCommands {
  const values: unknown[] = []
  for (const command of commands) {
    if (command.type === 'admit') packAdmit(values, command)
    else if (command.type === 'end') packEnd(values, command)
    else packCredit(values, command)
  }
  return values
}

export function unpackCommands(values: PackedCommands): Command[] {
  const commands: Command[] = []
  for (let at = 0; at < values.length; ) {
    const type = values[at] as Command['type']
    if (type === 'admit') commands.push(unpackAdmit(values, at + 1))
    else if (type === 'end') commands.push(unpackEnd(values, at + 1))
    else commands.push(unpackCredit(values, at + 1))
    at += packedLength[type]
  }
  return commands
}

/** Values of a command, its type included. */
const packedLength: Readonly<Record<Command['type'], number>> = { admit: 18, end: 12, credit: 5 }

function packAdmit(values: unknown[], admit: Admit): void {
  values.push(
    admit.type,
    admit.chargeId,
    admit.projectId,
    admit.keyId,
    admit.scope,
    admit.limit.max,
    admit.limit.windowMs,
    admit.fault,
    admit.operation,
    admit.credits,
    admit.pricingVersion,
    admit.leavesProcess,
    admit.idempotencyDigest,
    admit.fingerprint,
    admit.isolationVersion,
    admit.instanceId,
    admit.requestId,
    admit.at,
  )
}

const unpackAdmit = (values: PackedCommands, at: number): Admit => ({
  type: 'admit',
  chargeId: values[at] as string,
  projectId: values[at + 1] as string,
  keyId: values[at + 2] as string,
  scope: values[at + 3] as Admit['scope'],
  limit: { max: values[at + 4] as number, windowMs: values[at + 5] as number },
  fault: values[at + 6] as Admit['fault'],
  operation: values[at + 7] as Admit['operation'],
  credits: values[at + 8] as number,
  pricingVersion: values[at + 9] as string,
  leavesProcess: values[at + 10] as boolean,
  idempotencyDigest: values[at + 11] as string,
  fingerprint: values[at + 12] as string,
  isolationVersion: values[at + 13] as number,
  instanceId: values[at + 14] as string,
  requestId: values[at + 15] as string,
  at: values[at + 16] as number,
})

function packEnd(values: unknown[], end: End): void {
  values.push(
    end.type,
    end.chargeId,
    end.projectId,
    end.from,
    end.to,
    end.response === null ? null : end.response.status,
    end.response === null ? null : end.response.body,
    end.usage,
    end.reason,
    // Mostly none, and even an empty list is dear to copy.
    end.shown.length === 0 ? null : end.shown,
    end.decision,
    end.at,
  )
}

const unpackEnd = (values: PackedCommands, at: number): End => ({
  type: 'end',
  chargeId: values[at] as string,
  projectId: values[at + 1] as string,
  from: values[at + 2] as End['from'],
  to: values[at + 3] as End['to'],
  response: values[at + 4] === null ? null : { status: values[at + 4] as number, body: values[at + 5] as string },
  usage: values[at + 6] as string | null,
  reason: values[at + 7] as string | null,
  shown: (values[at + 8] as End['shown'] | null) ?? [],
  decision: values[at + 9] as End['decision'],
  at: values[at + 10] as number,
})

function packCredit(values: unknown[], credit: Credit): void {
  values.push(credit.type, credit.orderId, credit.projectId, credit.lotId, credit.at)
}

const unpackCredit = (values: PackedCommands, at: number): Credit => ({
  type: 'credit',
  orderId: values[at] as string,
  projectId: values[at + 1] as string,
  lotId: values[at + 2] as string,
  at: values[at + 3] as number,
})

/** The two usual results say nothing but their kind. */
export function packResults(results: readonly Result[]): PackedResults {
  const values: unknown[] = []
  for (const result of results) {
    values.push(result.kind === 'reserved' || result.kind === 'ended' ? result.kind : result)
  }
  return values
}

export const unpackResults = (values: PackedResults): Result[] =>
  values.map((value) => (typeof value === 'string' ? usual[value as keyof typeof usual] : (value as Result)))

const usual = { reserved: { kind: 'reserved' }, ended: { kind: 'ended' } } as const
