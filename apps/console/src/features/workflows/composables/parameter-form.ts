import type { ParameterDeclarations, ParameterValue, ParameterValues } from '@medley/core';
import { computed, type Ref, reactive, watch } from 'vue';
import { type FieldInput, fieldsOf, initialInput, readField } from '../parameter-fields.js';

/** A form out of declared parameters that begins with the values of an earlier run; `changed` are those that differ from these. */
export function useParameterForm(declared: Ref<ParameterDeclarations | undefined>, values: Ref<ParameterValues>) {
  const inputs = reactive<Record<string, FieldInput>>({});
  const fields = computed(() => fieldsOf(declared.value));
  watch(
    fields,
    (list) => {
      for (const field of list)
        inputs[field.name] ??= initialInput({
          ...field,
          computed: null,
          declaration: withDefault(field.declaration, values.value[field.name]),
        });
    },
    { immediate: true },
  );
  const readings = computed(() => fields.value.map((field) => ({ field, reading: readField(field, inputs[field.name] ?? null) })));
  const isComplete = computed(() => readings.value.every(({ reading }) => reading.ok));
  const changed = computed(() => {
    const different: Record<string, ParameterValue> = {};
    for (const { field, reading } of readings.value) {
      const isNew = reading.ok && reading.value !== undefined && JSON.stringify(reading.value) !== JSON.stringify(values.value[field.name]);
      if (isNew) different[field.name] = reading.value!;
    }
    return different;
  });
  const expectedOf = (name: string) => {
    const reading = readings.value.find(({ field }) => field.name === name)?.reading;
    return reading && !reading.ok ? reading.expected : null;
  };
  return { fields, inputs, isComplete, changed, expectedOf };
}

function withDefault<Declaration extends ParameterDeclarations[string]>(
  declaration: Declaration,
  value: ParameterValue | undefined,
): Declaration {
  return value === undefined ? declaration : { ...declaration, default: value };
}
