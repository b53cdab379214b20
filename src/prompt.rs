//! Selection, budget and rendering to the artifact that a dispatcher injects.
