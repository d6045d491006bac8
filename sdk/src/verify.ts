/** The build puts the gateway's own file here: its page `/verify` runs the same code. */
export * from '../../src/features/records/transparency/receipts/page/verify.ts'
