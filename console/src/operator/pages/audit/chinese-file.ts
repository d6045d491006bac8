import type { auditColumns } from '../../../../../src/features/operators/audit/contract.ts'
import { type CsvWords, csvInChinese } from '../../../format/csv.ts'

type AuditWords = CsvWords<(typeof auditColumns)[number]>

const columns: AuditWords['columns'] = {
  id: '记录编号',
  'at (UTC)': '时间（UTC）',
  by: '操作员',
  via: '途径',
  action: '操作',
  object: '对象编号',
  reason: '原因',
  before: '变更前',
  after: '变更后',
  seq: '序号',
  hash: '哈希',
}

export const auditInChinese = (file: Blob, cells: AuditWords['cells']) => csvInChinese(file, { columns, cells })
