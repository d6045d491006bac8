import { useTranslation } from 'react-i18next'
import { ChipMenu } from '../../design/chip-menu.tsx'
import { Segments } from '../../design/choices.tsx'
import { Checkbox, toggled } from '../../design/field.tsx'
import styles from './log.module.css'
import { type LogPreferences, type OptionalColumn, optionalColumns } from './log-preferences.ts'

interface LookMenuProps {
  readonly look: LogPreferences
  readonly onChange: (look: LogPreferences) => void
}

export function LookMenu({ look, onChange }: LookMenuProps) {
  const { t } = useTranslation()
  const nameOf = useColumnName()
  return (
    <ChipMenu label={t('log.look')}>
      {() => (
        <div className={styles.menu}>
          <fieldset className={styles.columns}>
            <legend>{t('log.columns')}</legend>
            {optionalColumns.map((column) => (
              <Checkbox
                key={column}
                label={nameOf(column)}
                checked={look.columns.includes(column)}
                onChange={() =>
                  onChange({
                    ...look,
                    columns: optionalColumns.filter((name) => toggled(look.columns, column).includes(name)),
                  })
                }
              />
            ))}
          </fieldset>
          <Segments
            aria-label={t('log.density')}
            value={look.isCompact ? 'compact' : 'comfortable'}
            onChange={(density) => onChange({ ...look, isCompact: density === 'compact' })}
            data={(['comfortable', 'compact'] as const).map((value) => ({ value, label: t(`log.${value}`) }))}
          />
        </div>
      )}
    </ChipMenu>
  )
}

export function useColumnName(): (column: OptionalColumn) => string {
  const { t } = useTranslation()
  return (column) => (column === 'key' || column === 'charge' ? t(`usage.${column}`) : t(`log.${column}`))
}
