import style from './detectors-view.module.css';

/** The meaning of the figures. `tier`: the tier of all detectors; null if they differ, and the table shows it. */
export function FigureNotes({ tier }: { tier: string | null }) {
  return (
    <div class={style.notes}>
      <p>
        Recall and precision are measured on published runs that people labelled. Most failures have few labelled runs
        or none, so look at the healthy runs flagged as well: they are the false alarms to expect.
      </p>
      <p>
        The subtypes of a detector are <strong>facts</strong>, which can be read in the trace, <strong>measured</strong>
        , which reached the required precision on other runs, or <strong>previews</strong>, which did not yet and are
        stored as observations.
      </p>
      <details>
        <summary>What the figures mean</summary>
        <ul>
          <li>
            <strong>Recall</strong> is the share of labelled failures that the detector reports. “Found 0 of 1” says
            little: the line beside it is the 95 % interval.
          </li>
          <li>
            <strong>Precision</strong> is the share of its reports on labelled runs that are labelled as this failure.
            “Reported nothing” means that there are labels but no report to count; “no labels” means that nobody
            labelled this failure in a published run.
          </li>
          <li>
            <strong>Facts</strong> are subtypes whose statement can be read in the trace, such as equal calls with equal
            results. Their confidence is 0.95 because anybody can check the statement in the trace. Precision answers
            another question: how often such a run fails or is labelled. It can be low or unknown for a true statement.
          </li>
          <li>
            <strong>Measured</strong> subtypes reached the required precision on sources that their rule was not chosen
            on. <strong>Previews</strong> did not yet: they are stored as observations and send no alert, unless you
            switch on “Report previews” on the page of the detector. A detector with previews only reports nothing until
            you switch it on.
          </li>
          {tier !== null && (
            <li>
              <strong>Tier</strong>: all detectors are {tier}. Production needs a precision and an F1 of 0.80 on at
              least 100 labelled samples that no rule was written with; beta needs an F1 of 0.60 on 50.
            </li>
          )}
        </ul>
      </details>
    </div>
  );
}
