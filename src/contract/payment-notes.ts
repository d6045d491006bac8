/** What the gateway itself notes about a payment; a provider's words are noted as they are. Longer texts before their beginnings. */
const texts = {
  PAID_THEN_REFUNDED:
    'paid {fen} fen {currency}, {refundedFen} fen of it refunded at the provider: {leftFen} fen are left',
  PAID_THEN_REFUNDED_UNKNOWN: 'paid {fen} fen {currency}, refunded at the provider, which does not say how much',
  PAID_AFTER_END:
    'paid {fen} fen {currency}, found after it had ended here; the provider does not say whether part of it was refunded',
  PAID: 'paid {fen} fen {currency}',
  ORDER_NOT_CREDITED: 'its order cannot be credited: {code}',
  TRANSACTION_CREDITED: 'its transaction was credited to another payment',
  ORDER_PAID: 'the order was paid with another transaction',
  REFUND_REFUSED: 'the provider refused the refund: {reason}',
  NOT_REFUNDED: 'an operator found that it was not refunded',
  REFUNDED: 'refunded',
} as const

export type PaymentNoteCode = keyof typeof texts

type NamesIn<Text> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never
export type PaymentNoteFacts<Code extends PaymentNoteCode> = Readonly<Record<NamesIn<(typeof texts)[Code]>, string>>

/** As it is stored, and shown in English. */
export const paymentNote = <Code extends PaymentNoteCode>(
  code: Code,
  ...[facts]: NamesIn<(typeof texts)[Code]> extends never ? [] : [facts: PaymentNoteFacts<Code>]
): string => texts[code].replaceAll(/\{(\w+)\}/g, (_, name) => (facts as Record<string, string>)[name]!).slice(0, 200)

const patterns = Object.entries(texts).map(
  ([code, text]) =>
    [
      code as PaymentNoteCode,
      new RegExp(
        `^${text.replaceAll(/\{(\w+)\}/g, (_, name) => `(?<${name}>${name === 'reason' ? '.*' : '\\w+'})`)}$`,
        's',
      ),
    ] as const,
)

/** Null for the words of a provider. */
export function readPaymentNote(note: string) {
  for (const [code, pattern] of patterns) {
    const found = pattern.exec(note)
    if (found) return { code, facts: (found.groups ?? {}) as Readonly<Record<string, string>> }
  }
  return null
}
