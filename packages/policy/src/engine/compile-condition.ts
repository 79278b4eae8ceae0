import type { CallView, CapabilityView, Condition } from '@ambit/core';

export function compileCondition<View extends CallView | CapabilityView>(
  condition: Condition<View>,
): Condition<View> {
  return condition;
}
