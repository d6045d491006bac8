import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import type { Overview } from '../../api/types.ts'
import { LinkButton } from '../../design/button.tsx'
import { Icons } from '../../design/icons.tsx'
import { Sheet } from '../../design/sheet.tsx'
import styles from './first-steps.module.css'

const steps = [
  { name: 'stepOrder', flag: 'hasOrder', path: '/recharge' },
  { name: 'stepKey', flag: 'hasKey', path: '/keys' },
  { name: 'stepCall', flag: 'hasCall', path: '/playground' },
] as const

/** What a new project still needs before its first call; the next of it is a button. */
export function FirstSteps({ steps: done }: { steps: Overview['firstSteps'] }) {
  const { t } = useTranslation()
  const count = steps.filter(({ flag }) => done[flag]).length
  const next = steps.find(({ flag }) => !done[flag])
  return (
    <Sheet
      title={t('overview.firstSteps')}
      actions={<span className={styles.count}>{t('overview.firstStepsDone', { done: count })}</span>}
    >
      <ol className={styles.steps}>
        {steps.map((step, i) => (
          <li key={step.name} data-done={done[step.flag] || undefined} data-next={step === next || undefined}>
            <span className={styles.number}>{done[step.flag] ? <Icons.check size={16} /> : i + 1}</span>
            <div className={styles.text}>
              {step === next ? (
                <LinkButton href={step.path}>{t(`overview.${step.name}`)}</LinkButton>
              ) : done[step.flag] ? (
                <p>
                  {t(`overview.${step.name}`)} <span className={styles.count}>({t('overview.done')})</span>
                </p>
              ) : (
                <Link href={step.path}>{t(`overview.${step.name}`)}</Link>
              )}
              <p className={styles.hint}>{t(`overview.${step.name}Hint`)}</p>
            </div>
          </li>
        ))}
      </ol>
    </Sheet>
  )
}
